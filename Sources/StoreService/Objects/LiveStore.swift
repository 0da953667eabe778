import ParseModel

/// The functions of a store that live queries need: the change feed with the states of objects before and after each change,
/// and the positions up to which clients have received the feed.
///
/// The states before changes are stored only for classes that live queries follow, because they cost space and time.
package protocol LiveStore: Sendable {
    /// Stores the states before all changes of these classes from now on, or goes on to store them.
    /// - Parameter lifetime: the time after which the store may stop, unless the call is repeated.
    /// - Returns: for each class, the number after which the states of all changes are stored. It is larger than before if the
    ///   store had stopped.
    func follow(_ classes: Set<String>, for lifetime: Duration) async throws -> [String: Int64]

    /// Reads changes after a number, oldest first, as a reader may see them. A change of rights appears as a change if it
    /// changes whether the reader can read the object.
    /// - Throws: `StoreError.feedTrimmed` if the feed, or the stored states of one of the classes, do not reach back to
    ///   the number. Also if a change of rights concerns too many objects of the reader.
    func changes(since: Int64, classes: Set<String>, limit: Int, for reader: LiveReader) throws -> LivePage

    /// Reads changes for subscriptions that are up to date. Unlike `changes`, accepts a number from before the states of
    /// one of the classes were stored: no subscription to that class needs the changes from before.
    /// - Throws: `StoreError.feedTrimmed` if the feed does not reach back to the number. Also if a change of rights concerns
    ///   too many objects of the reader.
    func newChanges(since: Int64, classes: Set<String>, limit: Int, for reader: LiveReader) throws -> LivePage

    /// Whether a reader could read the object before a change, and can read it after the change, by the reader's present
    /// rights. False where there was or is no object.
    func readability(of change: LiveChange, for reader: LiveReader) throws -> (before: Bool, after: Bool)

    /// The present rights of a principal on a class.
    func rules(of className: String, as principal: Principal) throws -> AccessRules

    /// The predicate with earlier ids of objects replaced by their present ids.
    func resolvingIds(in predicate: Predicate, of className: String) throws -> Predicate

    /// The newest number of the feed.
    func newest() throws -> Int64

    /// Whether ACLs and permissions restrict what the principal reads.
    func restricts(_ principal: Principal) -> Bool

    /// Takes over a position that an earlier subscription with this key has left, or adds one. The subscription holds it until
    /// `remember` without a holder, or until the process ends.
    /// - Parameters:
    ///   - holder: identifies the running process.
    ///   - last: a number after which the position must not begin; nil for the newest number.
    ///   - lifetime: the time for which the position is kept after it was stored last.
    func takePosition(
        of key: LiveSubscriptionKey, by holder: Int64, notAfter last: Int64?, for lifetime: Duration
    ) async throws -> LivePosition

    /// Stores the numbers of positions, by their ids.
    /// - Parameter holder: the running process; nil if the subscriptions have ended.
    func remember(_ positions: [Int64: Int64], by holder: Int64?, for lifetime: Duration) async throws

    /// Drops a position, because its subscription does not come back.
    func forget(_ id: Int64) async throws
}

/// The position of a subscription.
package struct LivePosition: Sendable, Hashable {
    package let id: Int64
    /// The number of the last change that the client has surely received.
    package let number: Int64
    /// False if the client may have missed changes up to the number: an earlier position is too old, or was dropped.
    package let isComplete: Bool

    package init(id: Int64, number: Int64, isComplete: Bool) {
        (self.id, self.number, self.isComplete) = (id, number, isComplete)
    }
}

/// A reader of changes: a principal, and the right by which it reads.
package struct LiveReader: Sendable, Hashable {
    package var principal: Principal
    /// The right that the query needs: to list objects, or to read an object by its id.
    package let reading: AccessRules.Operation

    package init(principal: Principal, reading: AccessRules.Operation = .list) {
        (self.principal, self.reading) = (principal, reading)
    }
}

/// Identifies a subscription across connections: an SDK subscribes again with the same request id after it has reconnected.
package struct LiveSubscriptionKey: Sendable, Hashable {
    /// The id of the client's installation (`installationId`).
    package let installation: String
    package let requestId: String
    /// A digest of the query and of the user.
    package let query: String

    package init(installation: String, requestId: String, query: String) {
        (self.installation, self.requestId, self.query) = (installation, requestId, query)
    }
}
