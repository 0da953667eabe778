import ParseModel
import StoreService
import Synchronization

/// `GET /ready`: whether the gateway can serve clients. A load balancer or an init system asks this before it sends clients.
final class ReadyRoute: Sendable {
    private let store: any ObjectStore
    /// The sync engine for whose first sync the gateway waits; nil to wait for none.
    private let awaited: (any SyncControl)?
    private let responses: ResponseBuilder
    /// Whether the first sync was found to be complete. A class that is added later does not make the gateway unready.
    private let hasSynced = Atomic(false)

    /// - Parameter control: the sync engine; nil in a standalone gateway.
    init(store: any ObjectStore, control: (any SyncControl)?, when: ReadyWhen, responses: ResponseBuilder) {
        self.store = store
        awaited =
            switch when {
            case .open: nil
            case .synced: control
            }
        self.responses = responses
    }

    var routes: [Route] {
        [
            Route(.get, "/ready", "getReadiness", .open()) { [self] _ in
                .later {
                    try await self.check()
                    return self.responses.json(["status": "ok"])
                }
            }
        ]
    }

    /// - Throws: `APIError.notReady`. Its reason names no class and no error of the remote, because the route needs no key.
    private func check() async throws {
        do { _ = try store.config() } catch {
            throw APIError.notReady(reason: "The local file cannot be read.")
        }
        guard let awaited, !hasSynced.load(ordering: .relaxed) else { return }
        guard try await awaited.status(as: .master).isInitialSyncComplete else {
            throw APIError.notReady(reason: "The first sync is not complete. GET /sync shows its progress.")
        }
        hasSynced.store(true, ordering: .relaxed)
    }
}
