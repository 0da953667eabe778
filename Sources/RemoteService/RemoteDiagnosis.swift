/// What `tidegate doctor` tells about a remote.
package struct RemoteDiagnosis: Sendable {
    package enum Finding<Value: Sendable>: Sendable {
        case known(Value)
        case failed(RemoteError)
        /// Not asked: an earlier question failed, or the key for it is missing.
        case notAsked(reason: String)
    }

    package var health: Finding<String>
    package var keys: Finding<Void>
    package var acceptsChosenIds: Finding<Bool>
    /// Names of all classes where the master key allows it, else those that were asked for and have objects.
    package var classes: Finding<[String]>
    /// The remote says that it is itself a replica and may not be one's remote.
    package var isReplica: Bool

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
