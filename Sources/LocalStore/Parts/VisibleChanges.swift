import ParseModel
import StoreService

/// Lists the pending changes that a principal may see, with only those fields of objects that the principal may read.
struct VisibleChanges {
    private let reads: ObjectReads
    private let principal: Principal
    private var transactions: Transactions { reads.transactions }

    init(of reads: ObjectReads, _ principal: Principal) { (self.reads, self.principal) = (reads, principal) }

    /// Lists the changes that `read` returns, as the principal may see them.
    /// - Parameter read: reads a list from the outbox.
    func list(_ read: (OutboxTable, DecisionLister) throws -> [PendingChange]) throws -> [PendingChange] {
        let changes = try transactions.readOnce {
            try read(OutboxTable(db: $0), transactions.authorship.lister(of: principal, in: $0))
        }
        guard transactions.access.restricts(principal) else { return changes }
        return try changes.filter(isListed).map { change in
            change.shown(by: try transactions.rules(of: change.className, as: principal))
        }
    }

    /// Whether a list contains the change. All clients without a session are one author. Such a client sees changes of
    /// objects that it may read, and all deletions.
    private func isListed(_ change: PendingChange) throws -> Bool {
        guard principal.user == nil, change.step.kind != .delete else { return true }
        do {
            return try reads.object(change.className, change.objectId, as: principal) != nil
        } catch is ParseError {
            return false
        }
    }
}
