import ParseModel
import StoreService
import SyncModel

/// A pull whose audit is due.
struct DueAudit {
    let id: PullId
    /// The server time at which the pull began in this sync.
    let began: ParseDate
    /// As `PullState.expectsReturn`.
    let expectsReturn: Bool
    let query: PullQuery
    /// The query for the pull's objects that are marked as deleted; nil if the class has no `deletedField`.
    let deletedQuery: PullQuery?

    /// The due audits, sorted by class and pull: one for each completed pull of this sync for which `isDue` returns true.
    /// - Parameter isDue: receives the pull's id, its stored state, and the server time at which it began in this sync.
    static func all(
        _ classes: SyncClasses, _ pulled: PulledState, where isDue: (PullId, PullState, ParseDate) -> Bool
    ) -> [DueAudit] {
        classes.sorted.flatMap { syncClass in
            syncClass.pulls.compactMap { state in
                let id = syncClass.id(of: state.pull)
                guard let began = pulled.began(id), isDue(id, state, began) else { return nil }
                return DueAudit(
                    id: id, began: began, expectsReturn: state.expectsReturn,
                    query: syncClass.query(of: state.pull, livingOnly: true),
                    deletedQuery: syncClass.deletedQuery(of: state.pull))
            }
        }.sorted { ($0.id.className, $0.id.name) < ($1.id.className, $1.id.name) }
    }
}
