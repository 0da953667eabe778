import ParseModel
import StoreService
import SyncEngine

/// The state of a write whose client waits for the remote.
package enum WriteFate: Sendable {
    case waiting
    case rejected(id: Int64, code: Int, message: String)
    case inConflict(id: Int64)
    /// A conflict policy or a user has decided against the write, or a part of it.
    case overruled(id: Int64)
    case executed(SettledChanges.Execution)
    /// A pulled row has shown that the remote has the new object, or that it no longer has the deleted one.
    case shown
    /// The change was dropped here before the remote took it.
    case withdrawn

    /// - Parameters:
    ///   - start: the number of the engine's next decision just before the write.
    ///   - settled: the engine's decisions.
    package init(
        of write: AwaitedWrite, since start: Int, by principal: Principal, decisions: any DecisionStore,
        _ settled: SettledChanges
    ) throws {
        switch try decisions.remains(of: write, by: principal) {
        case .waiting: self = .waiting
        case .rejected(let id, let code, let message): self = .rejected(id: id, code: code, message: message)
        case .inConflict(let id): self = .inConflict(id: id)
        case .overruled(let id): self = .overruled(id: id)
        case .nothing(let isOnRemote):
            let object = Pointer(className: write.className, objectId: write.objectId)
            if let execution = settled.execution(of: object, since: start) {
                self = .executed(execution)
                return
            }
            switch write.kind {
            case .create where isOnRemote, .delete where !isOnRemote: self = .shown
            case .create, .update, .delete: self = .withdrawn
            }
        }
    }
}
