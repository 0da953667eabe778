/// Everything in a replica's store that the remote does not have: changes, open conflicts, held removals and files.
package struct WaitingWork: Sendable {
    /// A file with content that is not on the remote.
    package struct File: Sendable {
        package let name: String
        package let contentType: String?
        /// The path of the content on this machine.
        package let path: String

        package init(name: String, contentType: String?, path: String) {
            self.name = name
            self.contentType = contentType
            self.path = path
        }
    }

    /// The changes in any phase: waiting to be sent, sent without a known outcome, rejected, or part of an open
    /// conflict.
    package let changes: [PendingChange]
    package let conflicts: [ListedConflict]
    package let removals: [HeldRemoval]
    package let files: [File]

    package init(changes: [PendingChange], conflicts: [ListedConflict], removals: [HeldRemoval], files: [File]) {
        self.changes = changes
        self.conflicts = conflicts
        self.removals = removals
        self.files = files
    }

    package static let none = WaitingWork(changes: [], conflicts: [], removals: [], files: [])

    package var isEmpty: Bool { changes.isEmpty && conflicts.isEmpty && removals.isEmpty && files.isEmpty }
}
