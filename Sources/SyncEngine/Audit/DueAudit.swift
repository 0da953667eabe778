import ParseModel
import StoreService
import SyncModel

/// A pull whose objects must be compared with the remote.
struct DueAudit {
    let id: PullId
    /// The server time at which the pull of this sync began.
    let began: ParseDate
    let query: PullQuery

    /// The complete pulls of this sync that are due, ordered by class and name.
    /// - Parameter isDue: decides by the state of the pull and its start in this sync.
    static func all(
        _ classes: SyncClasses, _ pulled: PulledState, where isDue: (PullId, PullState, ParseDate) -> Bool
    ) -> [DueAudit] {
        classes.sorted.flatMap { syncClass in
            syncClass.pulls.compactMap { state in
                let id = syncClass.id(of: state.pull)
                guard let began = pulled.began(id), isDue(id, state, began) else { return nil }
                return DueAudit(id: id, began: began, query: syncClass.query(of: state.pull, livingOnly: true))
            }
        }.sorted { ($0.id.className, $0.id.name) < ($1.id.className, $1.id.name) }
    }
}
