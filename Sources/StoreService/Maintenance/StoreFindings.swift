/// The findings of a complete check of the store in a data directory.
package struct StoreFindings: Sendable {
    /// The damage of the SQLite file.
    package var file = FileFindings()
    /// Violated rules: between the tables of the file, and between an object of a replica and its waiting changes.
    package var violations: [String] = []
    /// The contents that the store needs and the directory lacks, as SHA-256.
    package var missingContents: [String] = []
    /// The contents whose bytes differ from their SHA-256.
    package var changedContents: [String] = []
    /// The contents in the directory that the store does not need. The gateway removes them some time later.
    package var orphanedContents: [String] = []
    /// The number of objects that clients can see.
    package var objectCount = 0
    /// The number of contents that the store needs.
    package var contentCount = 0
    /// Whether the file has an earlier version. The rules are then not checked: the next start changes the tables.
    package var isOfEarlierVersion = false

    package init() {}

    /// Whether nothing is damaged. Orphaned contents are no damage.
    package var isSound: Bool {
        file.isEmpty && violations.isEmpty && missingContents.isEmpty && changedContents.isEmpty
    }

    /// The damage as text, one line each.
    package var lines: [String] {
        file.lines + violations + missingContents.map { "the content \($0) of a file is missing" }
            + changedContents.map { "the content \($0) of a file has changed" }
    }
}

/// A copy of a store in a directory of its own.
package struct StoreCopy: Sendable {
    /// The contents that the store needs and that the original lacks, as SHA-256.
    package let missingContents: [String]

    package init(missingContents: [String]) { self.missingContents = missingContents }
}
