import ParseModel
import SyncModel

/// The changes to send, and their outcomes.
package protocol OutboxStore: Sendable {
    /// The first entries to send, in order of creation, without held, rejected and frozen ones.
    func outbox(limit: Int) async throws -> [OutboxEntry]

    /// The number of entries to send, including those that wait for other entries.
    func waitingCount() async throws -> Int

    /// Entries of unknown outcome, including those that an interrupted sync has left in flight.
    /// - Precondition: no request is in flight now.
    func unknownOutcomes() async throws -> [OutboxEntry]

    /// Marks entries as in flight before they are sent.
    /// - Returns: the entries that have not changed since they were read, in their new state.
    func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry]

    /// - Returns: the counts of changes by rows that prove outcomes, by class.
    @discardableResult
    func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) async throws -> [String: PullTally]

    /// Records that requests for the objects got no answer. Their grace period begins at that server time.
    func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws

    /// Splits a create: a later update sets the given fields.
    func split(_ entry: OutboxEntry, deferring fields: [String]) async throws

    /// The known facts about the objects that a create of unknown outcome may have created.
    func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding

    /// The views of the newest objects of a class, except one object.
    func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject]

    /// The facts about objects of one class that are to be created again, and the rows to compare them with.
    func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding
}
