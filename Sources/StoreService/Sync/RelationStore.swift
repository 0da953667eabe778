import ParseModel
import SyncModel

/// Stores the members of relations. A row of the remote does not contain them, so a sync reads them separately.
package protocol RelationStore: Sendable {
    /// The relation fields, by class, with relations whose members a sync must still read.
    /// - Parameter before: a server time. Relations that were read at this time or later are left out.
    func waitingRelations(before: ParseDate) async throws -> [WaitingRelations]

    /// The relations whose members must still be read.
    /// - Parameters:
    ///   - column: the relation field to read; nil for all relation fields.
    ///   - before: a server time. Relations that were read at this time or later are left out.
    func relationsToPull(of column: RelationField?, limit: Int, before: ParseDate) async throws -> [RelationPull]

    /// Selects the owners of relations that would lose a member: the stored members of the remote include one that the
    /// list in `lists` lacks.
    func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer>

    /// Stores the members of relations.
    /// - Parameters:
    ///   - serverTime: the server time at which the members were read.
    ///   - overlap: a relation whose owner changed less than this time before `serverTime` is read once more.
    func setBaseMembers(_ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration) async throws

    /// Records that reading the members of these relations failed. A later sync tries again.
    /// - Parameter serverTime: the server time of the failed read.
    func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws
}
