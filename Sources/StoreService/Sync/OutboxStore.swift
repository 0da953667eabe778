import ParseModel
import SyncModel

/// The outbox: the local changes to send, and the outcomes of sent changes. If changes have no authors, all of them are
/// the gateway's.
package protocol OutboxStore: Sendable {
    /// The authors (users who have made changes), besides the gateway, with changes to send or of unknown outcome. The
    /// author of the oldest change comes first.
    func waitingAuthors() async throws -> [SyncAuthor]

    /// The same store, but with the changes and files of another author. Pulls remain those of the present author.
    func sending(for author: SyncAuthor) async throws -> any SyncStore

    /// The first entries to send, in the order of creation. An entry is left out if its object has an earlier entry, or
    /// if one of its files is not uploaded yet.
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

    /// Stores the outcomes of sent entries, as decided by the engine (settlements). If a row of the remote has proved
    /// an outcome, the settlement contains this row, and the store applies it.
    /// - Returns: the counts of the applied rows, by class.
    @discardableResult
    func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) async throws -> [String: PullTally]

    /// Records that requests for the objects have ended without an answer. Their grace period begins at the given server time.
    func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws

    /// Splits a create into a create without the given fields and an update that sets them.
    func split(_ entry: OutboxEntry, deferring fields: [String]) async throws

    /// Classifies candidates: remote objects that may be the result of a create whose outcome is unknown.
    func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding

    /// The views (states that clients see) of the most recently stored objects of a class, without the object
    /// `objectId`.
    func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject]

    /// Reads two facts about deleted objects that are to be created on the remote again: their last known remote
    /// states, and the objects that other replicas may already have created in their place.
    /// - Parameters:
    ///   - entries: the creates, all of one class.
    ///   - max: the maximum number of possible replacements.
    func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding
}

/// The possible and impossible candidates of one create. A candidate is a remote object that may be the result of a
/// create whose outcome is unknown.
package struct CandidateStanding: Sendable, Hashable {
    /// Ids of candidates that cannot be the result of the create: they belong to other local objects, or a user's
    /// decision has ruled them out.
    package let excluded: Set<String>
    /// Ids of candidates that only a user's decision can match with the create. An open conflict about another create
    /// shows the same candidate, or a resolved conflict about this create listed it.
    package let asked: Set<String>
    /// Ids of candidates that a user's decision has ruled out.
    package let refused: Set<String>

    package init(excluded: Set<String>, asked: Set<String>, refused: Set<String>) {
        self.excluded = excluded
        self.asked = asked
        self.refused = refused
    }
}

/// The stored facts about deleted objects of one class that are to be created on the remote again. Another replica may
/// already have created some of them.
package struct RemakeStanding: Sendable, Hashable {
    /// The last known remote states of the objects, by the id of the outbox entry.
    package var ancestors: [Int64: ObjectState] = [:]
    /// The objects that another replica may have created in place of the deleted ones, newest first. They were created
    /// at or after the earliest `since(_:)` of the entries, and have never had another id.
    package var known: [RemoteRecord] = []

    package init() {}

    /// The earliest time at which another replica may have created the object of the entry again.
    package func since(_ entry: OutboxEntry) -> ParseDate { ancestors[entry.id]?.updatedAt ?? entry.step.madeAt }
}
