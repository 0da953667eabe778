/// The damage found in a store's file. SQLite has no checksums, so a changed byte is detected only if it breaks the structure of
/// the file or the JSON of a row.
package struct FileFindings: Sendable, Hashable {
    /// An object with unreadable JSON.
    package struct DamagedObject: Sendable, Hashable {
        package let className: String
        package let objectId: String
        /// The primary key of the row.
        package let key: Int64
        /// Whether the next sync replaces the object with the remote's row. True in a replica for an object without pending
        /// changes.
        package let isReplaceable: Bool

        package init(className: String, objectId: String, key: Int64, isReplaceable: Bool) {
            self.className = className
            self.objectId = objectId
            self.key = key
            self.isReplaceable = isReplaceable
        }

        /// A description of the damage: one sentence without a full stop.
        package var line: String {
            "the object \(objectId) of \(className) is damaged"
                + (isReplaceable ? "; the remote's state replaces it at the next sync" : "")
        }
    }

    /// The findings of SQLite's `PRAGMA quick_check`.
    package var structure: [String] = []
    package var objects: [DamagedObject] = []
    /// Descriptions of other damage, one sentence each: of unreadable rows in other tables, and of incomplete lists.
    package var others: [String] = []

    package init(structure: [String] = [], objects: [DamagedObject] = [], others: [String] = []) {
        self.structure = structure
        self.objects = objects
        self.others = others
    }

    package var isEmpty: Bool { structure.isEmpty && objects.isEmpty && others.isEmpty }

    /// All findings as text, one line each.
    package var lines: [String] { structure.map { "SQLite finds damage: \($0)" } + objects.map(\.line) + others }
}
