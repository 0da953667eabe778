import ParseModel
import StoreService

/// Filters the lists of changes by the rights of a principal on their objects.
struct VisibleChanges {
    private let reads: ObjectReads
    private let principal: Principal
    private var transactions: Transactions { reads.transactions }

    init(of reads: ObjectReads, _ principal: Principal) { (self.reads, self.principal) = (reads, principal) }

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

    /// Clients without a session are one author, so such a client sees only the changes of objects that it may read.
    private func isListed(_ change: PendingChange) throws -> Bool {
        guard principal.user == nil, change.step.kind != .delete else { return true }
        do {
            return try reads.object(change.className, change.objectId, as: principal) != nil
        } catch is ParseError {
            return false
        }
    }
}
