/// Damage that a check of the SQLite file has found. SQLite keeps no checksums, so a changed byte shows only where it breaks
/// the structure of the file or the JSON of a row.
package struct FileFindings: Sendable, Hashable {
    /// An object whose stored JSON cannot be read.
    package struct DamagedObject: Sendable, Hashable {
        package let className: String
        package let objectId: String
        /// The row's key in `objects`.
        let key: Int64
        /// The object is a replica's and has no pending work: the remote's row replaces it.
        package let isReplaceable: Bool

        /// For a person, without a full stop.
        package var line: String {
            "the object \(objectId) of \(className) is damaged"
                + (isReplaceable ? "; the remote's state replaces it at the next sync" : "")
        }
    }

    /// The answers of `PRAGMA quick_check`, other than "ok".
    package var structure: [String] = []
    package var objects: [DamagedObject] = []
    /// Rows of other tables whose JSON cannot be read, each in words.
    package var others: [String] = []

    package init(structure: [String] = []) { self.structure = structure }

    package var isEmpty: Bool { structure.isEmpty && objects.isEmpty && others.isEmpty }

    /// One line for each finding.
    package var lines: [String] { structure.map { "SQLite finds damage: \($0)" } + objects.map(\.line) + others }
}
