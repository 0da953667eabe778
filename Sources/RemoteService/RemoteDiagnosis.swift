/// The findings of `tidegate doctor` about a remote.
package struct RemoteDiagnosis: Sendable {
    package enum Finding<Value: Sendable>: Sendable {
        case known(Value)
        case failed(RemoteError)
        /// Not checked. `reason` says why: for example, an earlier check failed, or the necessary key is missing.
        case notAsked(reason: String)
    }

    /// An optional part of a remote.
    package enum Offer: String, Sendable, CaseIterable { case probe, files, relations, calls }

    /// The `status` that the health check of the server reports; `ok` for a healthy server.
    package var health: Finding<String>
    /// Whether the server accepts the keys.
    package var keys: Finding<Void>
    /// Whether a create may name its own objectId.
    package var acceptsChosenIds: Finding<Bool>
    /// With the master key: the names of all classes. Without the master key: those classes of the settings that have objects.
    package var classes: Finding<[String]>
    /// Whether the remote is itself a replica, which cannot be a remote.
    package var isReplica: Bool
    /// The optional parts that the remote lacks.
    package var lacking: [Offer] = []

    package init(
        health: Finding<String>, keys: Finding<Void>, acceptsChosenIds: Finding<Bool>, classes: Finding<[String]>,
        isReplica: Bool
    ) {
        self.health = health
        self.keys = keys
        self.acceptsChosenIds = acceptsChosenIds
        self.classes = classes
        self.isReplica = isReplica
    }
}

extension RemoteDiagnosis {
    /// Diagnoses a remote. For a remote without a probe, only `lacking` is known.
    /// - Parameter classes: the classes named in the settings.
    package init(of remote: any RemoteService, classes: [String]) async {
        let reason = "not offered by this kind of remote"
        self =
            await remote.probe?.diagnose(classes: classes)
            ?? RemoteDiagnosis(
                health: .notAsked(reason: reason), keys: .notAsked(reason: reason),
                acceptsChosenIds: .notAsked(reason: reason), classes: .notAsked(reason: reason), isReplica: false)
        let offers: [(Offer, Bool)] = [
            (.probe, remote.probe != nil), (.files, remote.files != nil), (.relations, remote.relations != nil),
            (.calls, remote.calls != nil),
        ]
        lacking = offers.filter { !$0.1 }.map(\.0)
    }
}
