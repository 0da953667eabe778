import ParseModel
import StoreService
import SyncModel

/// Lists the pending changes that a principal may see, with only those fields of objects that the principal may read.
struct VisibleChanges {
    private let reads: ObjectReads
    private let principal: Principal
    private var transactions: Transactions { reads.transactions }

    init(of reads: ObjectReads, _ principal: Principal) { (self.reads, self.principal) = (reads, principal) }

    /// Lists the changes that `read` returns, as the principal may see them: at most `DecisionLists.entriesMax`. Only the end of
    /// the outbox makes a list shorter.
    /// - Parameters:
    ///   - after: the id of the change that the list follows; nil for the first changes.
    ///   - read: reads the changes after an id from the outbox.
    func list(
        after: Int64?, _ read: (OutboxTable, DecisionLister, _ after: Int64?) throws -> [PendingChange]
    ) throws -> [PendingChange] {
        var shown: [PendingChange] = []
        var last = after
        while true {
            let changes = try transactions.readOnce {
                try read(OutboxTable(db: $0), transactions.authorship.lister(of: principal, in: $0), last)
            }
            guard transactions.access.restricts(principal) else { return changes }
            shown += try changes.filter { try isListed($0.className, $0.objectId, $0.step.kind) }.map { change in
                change.shown(by: try transactions.rules(of: change.className, as: principal))
            }
            guard changes.count == DecisionLists.entriesMax, shown.count < DecisionLists.entriesMax else {
                return Array(shown.prefix(DecisionLists.entriesMax))
            }
            last = changes.last?.id
        }
    }

    /// The changes that the principal may see, of those that its `DecisionLister` selects.
    func filter(_ changes: [WaitingChange]) throws -> [WaitingChange] {
        guard transactions.access.restricts(principal) else { return changes }
        return try changes.filter { try isListed($0.object.className, $0.object.objectId, $0.kind) }
    }

    /// Whether a list contains a change of the object. All clients without a session are one author. Such a client sees
    /// changes of objects that it may read, and all deletions.
    private func isListed(_ className: String, _ objectId: String, _ kind: PendingStep.Kind) throws -> Bool {
        guard principal.user == nil, kind != .delete else { return true }
        do {
            return try reads.object(className, objectId, as: principal) != nil
        } catch is ParseError {
            return false
        }
    }
}
