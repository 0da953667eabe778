import ParseModel
import StoreService

/// The lists of changes as far as a principal may read the objects of the changes.
struct VisibleChanges {
    private let store: LocalStore
    private let principal: Principal

    init(_ store: LocalStore, _ principal: Principal) {
        self.store = store
        self.principal = principal
    }

    /// - Parameter read: reads a list from the outbox.
    func list(_ read: (OutboxTable, DecisionLister) throws -> [PendingChange]) throws -> [PendingChange] {
        let changes = try store.readOnce {
            try read(OutboxTable(db: $0), DecisionLister(principal, store.configuration, in: $0))
        }
        guard store.access.restricts(principal) else { return changes }
        return try changes.filter(isListed).map { change in
            change.shown(by: try store.rules(of: change.className, as: principal))
        }
    }

    /// Clients without a session are one author, so such a client sees only the changes of objects that it may read.
    private func isListed(_ change: PendingChange) throws -> Bool {
        guard principal.user == nil, change.step.kind != .delete else { return true }
        do {
            return try store.object(change.className, change.objectId, as: principal) != nil
        } catch is ParseError {
            return false
        }
    }
}
