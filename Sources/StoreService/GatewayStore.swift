import ParseModel

/// The complete store of a gateway.
package protocol GatewayStore: ObjectStore, DecisionStore, ClassRegistry, FileCache, StoreMaintenance {
    /// Identifies this gateway among all replicas of its remote.
    var replicaId: String { get }

    /// The store as the sync engine uses it.
    var sync: any SyncStore { get }

    /// Counts for the status and the metrics.
    func figures() async throws -> SyncFigures
}

/// A kind of store: opens stores, and checks their files.
package protocol StoreKind: Sendable {
    /// Opens the store of a data directory, or creates it.
    /// - Throws: `StoreError`. A store that is newer, in use or of another identity stays unchanged.
    func open(_ settings: StoreSettings, environment: Environment) throws -> any GatewayStore

    /// Checks a data directory for damage. A gateway may be using it.
    /// - Throws: `StoreError` if the store is unreadable.
    func checkFile(in directory: String) async throws -> FileFindings
}

/// The settings of a store.
package struct StoreSettings: Sendable {
    package enum Synchronous: String, Sendable { case full, normal }

    package var directory: String
    package var identity: StoreIdentity
    /// `full`: a power failure loses no acknowledged write. `normal`: a power failure may lose the latest writes.
    package var synchronous: Synchronous = .full
    /// Whether a create may choose its objectId. A stock Parse Server refuses chosen ids. A replica accepts them unless its
    /// remote is known to refuse.
    package var allowsChosenIds = false
    /// The maximum number of fields of a class for local writes. Pulled rows may exceed it.
    package var classFieldsMax = 1000
    /// Called after local writes are on disk.
    package var onLocalWrite: @Sendable () -> Void = {}
    /// Called from any thread after a read has found damaged objects that were not known before.
    package var onDamage: @Sendable (_ objects: [FileFindings.DamagedObject]) -> Void = { _ in }
    /// Whether to accept a copy of a directory as the directory in use.
    package var takesOver = false

    package init(directory: String, identity: StoreIdentity) {
        self.directory = directory
        self.identity = identity
    }
}

/// The remote that a store serves. It never changes during the life of a store.
package struct StoreIdentity: Sendable, Hashable {
    /// The remote of a replica; nil for a standalone store.
    package let remote: Remote?

    package struct Remote: Sendable, Hashable {
        /// The name of the kind in the settings: `parse`.
        package let kind: String
        package let url: String
        /// The application id on the remote; nil for a kind of remote without application ids.
        package let applicationId: String?

        /// The kind of the remote in files of earlier versions, which do not store a kind.
        package static let kindOfEarlierFiles = "parse"

        package init(kind: String = kindOfEarlierFiles, url: String, applicationId: String?) {
            self.kind = kind
            self.url = url
            self.applicationId = applicationId
        }

        /// The remote in a sentence that also names another remote.
        package func description(beside other: Remote) -> String {
            let facts = [
                kind == other.kind ? nil : "kind \(kind)", applicationId.map { "application id \($0)" },
            ].compactMap { $0 }
            return facts.isEmpty ? url : "\(url) (\(facts.joined(separator: ", ")))"
        }
    }

    package init(remote: Remote?) { self.remote = remote }

    package var isReplica: Bool { remote != nil }
}
