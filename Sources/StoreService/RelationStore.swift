import ParseModel
import SyncModel

/// The members of relations, which are read apart from the rows.
package protocol RelationStore: Sendable {
    /// The columns with relations to read.
    /// - Parameter before: server time. Relations that were read since then do not count.
    func waitingRelations(before: ParseDate) async throws -> [WaitingRelations]

    /// The relations to read of one column.
    /// - Parameter column: nil for all columns.
    func relationsToPull(of column: RelationField?, limit: Int, before: ParseDate) async throws -> [RelationPull]

    /// Owners that would lose a member of their base by these lists.
    func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer>

    /// Stores members that were read at a server time.
    func setBaseMembers(_ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration) async throws

    /// The relations could not be read. A later sync reads them.
    func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws
}
