import StoreService
import Synchronization

/// Lets requests about the objects of a class wait for the class's first sync, in the space of a user. Without the wait, an app that reads
/// right after the log-in would take an empty list for the user's data.
final class FirstReads: Sendable {
    private let control: any SyncControl
    private let store: any ObjectStore
    private let waits: RemoteWaits
    /// The classes whose first sync is complete.
    private let complete = Mutex<Set<String>>([])

    init(control: any SyncControl, store: any ObjectStore, waits: RemoteWaits) {
        self.control = control
        self.store = store
        self.waits = waits
    }

    /// Whether a request may have to wait. A create needs no stored object, and the remote answers an aggregate of a class that is not
    /// stored completely.
    func mayConcern(_ request: RoutedRequest) -> Bool {
        guard let target = request.objects else { return false }
        return switch target.kind {
        case .create, .aggregate: false
        case .list, .get, .update, .delete: !isComplete(target.className)
        }
    }

    /// Waits as `wait(for:_:)`, if the request may have to.
    func wait(for request: RoutedRequest) async throws {
        guard mayConcern(request), let target = request.objects else { return }
        try await wait(for: target.className, target.objectId)
    }

    private func isComplete(_ className: String) -> Bool { complete.withLock { $0.contains(className) } }

    /// Waits for the first sync of a class, unless the object is stored, for example because the user has created it here.
    /// - Parameter objectId: the id of the only object that the request concerns; nil for a list.
    /// - Throws: `APIError.remoteUnreachable` if the objects cannot be fetched in time; `APIError.busy` if too many requests wait.
    func wait(for className: String, _ objectId: String?) async throws {
        guard !isComplete(className) else { return }
        if let objectId, try store.object(className, objectId, as: .master) != nil { return }
        guard try await waits.hold({ [control] in try await control.waitForFirstSync(of: className) }) else { return }
        complete.withLock { _ = $0.insert(className) }
    }
}
