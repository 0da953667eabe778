import HTTPServer
import ParseModel
import StoreService
import Synchronization

/// Lets the requests to a user's space (the data of one user in a personal replica) wait for the first sync of the
/// classes that they read. Without the wait, an app that reads right after the log-in would take an empty list for the
/// user's data.
///
/// The class of the request is known before the request is executed. The class of an included object is known only when its pointer is
/// read, so a read that needs a further class stops with `AwaitedClass`, and is repeated after the wait.
final class FirstReads: Readiness {
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

    func wait(for request: RoutedRequest) async throws {
        guard mayConcern(request), let target = request.objects else { return }
        try await wait(for: target.className, target.objectId)
    }

    func reply(
        to request: RoutedRequest, _ answer: @escaping @Sendable (RoutedRequest) throws -> RouteReply
    ) throws -> RouteReply {
        let answerAfterWait = { @Sendable () async throws -> HTTPServerResponse in
            try await self.wait(for: request)
            return try await self.repeating { try await answer(request.awaiting($0)).response() }
        }
        guard !mayConcern(request) else { return .later(answerAfterWait) }
        do {
            let reply = try answer(request)
            guard case .later(let work) = reply else { return reply }
            return .later {
                do { return try await work() } catch is AwaitedClass { return try await answerAfterWait() }
            }
        } catch is AwaitedClass {
            return .later(answerAfterWait)
        }
    }

    func repeating<Answer>(_ read: (_ awaited: Set<String>) async throws -> Answer) async throws -> Answer {
        var awaited: Set<String> = []
        while true {
            do {
                return try await read(awaited)
            } catch let stop as AwaitedClass {
                try await wait(for: stop.className, nil)
                awaited.insert(stop.className)
            }
        }
    }

    /// Does nothing for a class that is not stored locally.
    func check(_ className: String, besides awaited: Set<String>) throws {
        guard !isComplete(className), !awaited.contains(className), try store.classNames().contains(className) else {
            return
        }
        throw AwaitedClass(className: className)
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

/// The error that stops a read of a class whose first sync may not be complete. The read is repeated after a wait.
struct AwaitedClass: Error {
    let className: String
}
