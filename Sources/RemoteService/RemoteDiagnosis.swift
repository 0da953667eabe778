/// The findings of `tidegate doctor` about a remote.
package struct RemoteDiagnosis: Sendable {
    package enum Finding<Value: Sendable>: Sendable {
        case known(Value)
        case failed(RemoteError)
        /// Not asked: an earlier question failed, the key for it is missing, or the remote does not offer it.
        case notAsked(reason: String)
    }

    /// A part of the remote's protocol that some kinds of remote lack.
    package enum Offer: String, Sendable, CaseIterable { case probe, files, relations, calls }

    package var health: Finding<String>
    package var keys: Finding<Void>
    package var acceptsChosenIds: Finding<Bool>
    /// The names of all classes with a valid master key; otherwise the classes of the settings that have objects.
    package var classes: Finding<[String]>
    /// Whether the remote is itself a replica. A replica cannot be a remote.
    package var isReplica: Bool
    /// The parts that the remote lacks.
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
    /// Diagnoses a remote, also one without a probe.
    /// - Parameter classes: the classes in the settings.
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
