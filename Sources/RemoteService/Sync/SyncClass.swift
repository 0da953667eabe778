import ParseModel

/// A class that takes part in syncing, and how far it has come.
package struct SyncClass: Sendable, Hashable {
    package let name: String
    package let options: ClassOptions
    /// Registered classes are pulled, whole or in subsets; one that was only written to here is pushed and not pulled.
    package let pulls: [PullState]

    package var isPulled: Bool { !pulls.isEmpty }
    package var initialSyncComplete: Bool { isPulled && pulls.allSatisfy { $0.completeSince != nil } }

    package init(name: String, options: ClassOptions = ClassOptions(), pulls: [PullState]) {
        self.name = name
        self.options = options
        self.pulls = pulls
    }
}
