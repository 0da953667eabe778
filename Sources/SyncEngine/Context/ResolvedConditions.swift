import ParseModel
import StoreService
import Synchronization

/// The conditions of pulls in which this sync has replaced the inner queries by their results.
final class ResolvedConditions: Sendable {
    private let state = Mutex<[JSONObject: JSONObject]>([:])

    func isKnown(_ conditions: JSONObject) -> Bool { state.withLock { $0[conditions] != nil } }

    func note(_ resolved: JSONObject, for conditions: JSONObject) { state.withLock { $0[conditions] = resolved } }

    /// The class with the resolved conditions of its pulls.
    func applied(to syncClass: SyncClass) -> SyncClass {
        var syncClass = syncClass
        state.withLock { known in
            if known.isEmpty { return }
            for state in syncClass.pulls {
                syncClass.resolvedConditions[state.pull.name] = known[state.pull.conditions]
            }
        }
        return syncClass
    }
}
