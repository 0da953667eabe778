import ParseModel
import SyncModel

/// Changes to send, and their outcomes.
package protocol OutboxStore: Sendable {
    /// The first entries that wait to be sent, in order of creation, without held, rejected and frozen ones.
    func outbox(limit: Int) async throws -> [OutboxEntry]

    /// How many entries wait to be sent, including those that wait for other entries.
    func waitingCount() async throws -> Int

    /// Entries of unknown outcome, including those that an interrupted sync has left in flight.
    /// - Precondition: no request is in flight now.
    func unknownOutcomes() async throws -> [OutboxEntry]

    /// Marks entries as in flight before they are sent.
    /// - Returns: the entries that had not changed since they were read, in their new state.
    func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry]

    /// - Returns: the effects of rows that prove outcomes, by class.
    @discardableResult
    func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) async throws -> [String: PullTally]

    /// Requests for the objects got no answer. Their grace period begins at that server time.
    func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws

    /// Splits a create in two: an update that follows sets the named fields.
    func split(_ entry: OutboxEntry, deferring fields: [String]) async throws

    /// What is known of the objects that a create of unknown outcome may have made.
    func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding

    /// The views of the newest objects of a class, except one object.
    func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject]

    /// What is known of objects of one class that are to be made again, and the rows to compare them with.
    func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding
}
