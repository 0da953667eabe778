import ParseModel
import SyncModel

/// The outbox of changes to send, and the outcomes of sent changes. Without authors, all changes are the gateway's.
package protocol OutboxStore: Sendable {
    /// The authors, besides the gateway, with changes to send or of unknown outcome. The one with the oldest change comes first.
    func waitingAuthors() async throws -> [SyncAuthor]

    /// The same store with the changes and files of another author. Pulls stay those of this store's author.
    func sending(for author: SyncAuthor) async throws -> any SyncStore

    /// The first entries that wait to be sent, in the order of creation. Left out are entries whose object has an earlier entry,
    /// and entries with a file that is not uploaded yet.
    func outbox(limit: Int) async throws -> [OutboxEntry]

    /// The number of entries that wait to be sent, including entries that must wait for another entry or for an upload.
    func waitingCount() async throws -> Int

    /// Entries of unknown outcome, including entries that an interrupted sync has left in the phase `inFlight`.
    /// - Precondition: no request is in flight.
    func unknownOutcomes() async throws -> [OutboxEntry]

    /// The classes with a create of unknown outcome, of any author.
    /// - Precondition: no request is in flight.
    func classesWithUnknownCreates() async throws -> Set<String>

    /// Marks entries as in flight, before they are sent. An entry that has changed since it was read is left out.
    /// - Returns: the marked entries in their new state.
    func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry]

    /// Stores the engine's decisions about sent entries (settlements). A settlement may contain a remote row that proves an
    /// outcome. The store applies this row too.
    /// - Returns: the counts of the applied rows, by class.
    @discardableResult
    func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) async throws -> [String: PullTally]

    /// Records that requests for the objects have ended without an answer. Their grace period begins at the given server time.
    func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws

    /// Splits a create into a create without the given fields and an update that sets them.
    func split(_ entry: OutboxEntry, deferring fields: [String]) async throws

    /// What the store knows about remote objects that a create of unknown outcome may have created.
    func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding

    /// The views of the most recently stored objects of a class. The object `objectId` is left out.
    func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject]

    /// Reads two things about deleted objects that are to be created again: the remote's last known states of these objects, and
    /// the objects that other replicas may have created in their place.
    /// - Parameters:
    ///   - entries: the creates, all of one class.
    ///   - max: the maximum number of possible replacements.
    func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding
}

/// What the store knows about candidates: remote objects that a create of unknown outcome may have created.
package struct CandidateStanding: Sendable, Hashable {
    /// Ids of candidates that cannot be the object of the create: they belong to other local objects, or a decision
    /// has ruled them out.
    package let excluded: Set<String>
    /// Ids of remote objects that only a user's decision can adopt. An open conflict about another create shows the object as its
    /// candidate, or a resolved conflict about this create listed the object as a further candidate.
    package let asked: Set<String>
    /// Ids of candidates that a user's decision has ruled out.
    package let refused: Set<String>

    package init(excluded: Set<String>, asked: Set<String>, refused: Set<String>) {
        self.excluded = excluded
        self.asked = asked
        self.refused = refused
    }
}

/// What the store knows about deleted objects of one class that are to be created on the remote again. Another replica may
/// already have created some of these objects again.
package struct RemakeStanding: Sendable, Hashable {
    /// The remote's last known states of the objects, by the id of the outbox entry.
    package var ancestors: [Int64: ObjectState] = [:]
    /// The objects that another replica may have created in place of the deleted objects, newest first: objects that were created
    /// at or after the earliest `since(_:)` of the entries. Objects with an alias are left out.
    package var known: [RemoteRecord] = []

    package init() {}

    /// The earliest time at which another replica may have created the object of the entry again.
    package func since(_ entry: OutboxEntry) -> ParseDate { ancestors[entry.id]?.updatedAt ?? entry.step.madeAt }
}
