/// The damage found in a store's file. SQLite keeps no checksums, so a changed byte is detected only if it breaks the structure
/// of the file or the JSON of a row.
package struct FileFindings: Sendable, Hashable {
    /// An object with unreadable JSON.
    package struct DamagedObject: Sendable, Hashable {
        package let className: String
        package let objectId: String
        /// The store's key of the row.
        package let key: Int64
        /// Whether the remote's row can replace it, as for a replica's object without pending changes.
        package let isReplaceable: Bool

        package init(className: String, objectId: String, key: Int64, isReplaceable: Bool) {
            self.className = className
            self.objectId = objectId
            self.key = key
            self.isReplaceable = isReplaceable
        }

        /// One sentence without a full stop.
        package var line: String {
            "the object \(objectId) of \(className) is damaged"
                + (isReplaceable ? "; the remote's state replaces it at the next sync" : "")
        }
    }

    /// The findings of `PRAGMA quick_check`.
    package var structure: [String] = []
    package var objects: [DamagedObject] = []
    /// Unreadable rows of other tables, one sentence each.
    package var others: [String] = []

    package init(structure: [String] = []) { self.structure = structure }

    package var isEmpty: Bool { structure.isEmpty && objects.isEmpty && others.isEmpty }

    /// One line for each finding.
    package var lines: [String] { structure.map { "SQLite finds damage: \($0)" } + objects.map(\.line) + others }
}
