import ParseModel
import SyncModel

/// The members of relations, which are read separately from the rows.
package protocol RelationStore: Sendable {
    /// The columns with relations to read.
    /// - Parameter before: server time. Relations read since then are left out.
    func waitingRelations(before: ParseDate) async throws -> [WaitingRelations]

    /// The relations of one column to read.
    /// - Parameter column: nil for all columns.
    func relationsToPull(of column: RelationField?, limit: Int, before: ParseDate) async throws -> [RelationPull]

    /// The owners that would lose a base member by these lists.
    func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer>

    /// Stores members that were read at a server time.
    func setBaseMembers(_ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration) async throws

    /// Records that the relations could not be read. A later sync reads them.
    func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws
}
