import ParseModel
import SyncModel

/// The members of relations. They are read separately, because rows do not contain them.
package protocol RelationStore: Sendable {
    /// The relation columns with relations that must be read.
    /// - Parameter before: a server time. Relations that were read at or after it are left out.
    func waitingRelations(before: ParseDate) async throws -> [WaitingRelations]

    /// The relations that must be read.
    /// - Parameters:
    ///   - column: only relations of this column; nil for all columns.
    ///   - before: a server time. Relations that were read at or after it are left out.
    func relationsToPull(of column: RelationField?, limit: Int, before: ParseDate) async throws -> [RelationPull]

    /// The owners that would lose members if the given lists replaced the stored members of their bases.
    func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer>

    /// Stores the members of relations.
    /// - Parameters:
    ///   - serverTime: the server time at which the members were read.
    ///   - overlap: a relation whose owner changed less than this time before `serverTime` is read once more.
    func setBaseMembers(_ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration) async throws

    /// Postpones relations that could not be read to a later sync.
    /// - Parameter serverTime: the server time of the failed read.
    func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws
}
