import CMicroHTTPD
import Synchronization

/// Keeps the requests that wait for an asynchronous response. Their connections are suspended.
///
/// A lock is held while a request is removed and its connection is resumed. Each connection is therefore resumed once, and never
/// after libmicrohttpd has stopped. There are 16 locks, each for a part of the requests, because waiting for a single lock took
/// 7% of the time of a create.
final class PendingReplies: Sendable {
    private struct Reply {
        let request: RequestContext
        let connection: SuspendedConnection
        let task: Task<Void, Never>

        func resume(with response: HTTPServerResponse) {
            request.awaitedResponse = response
            MHD_resume_connection(connection.pointer)
        }
    }
    private struct State {
        var isClosed = false
        var replies: [ObjectIdentifier: Reply] = [:]
    }
    private final class Part: Sendable { let state = Mutex(State()) }
    private let parts = (0..<16).map { _ in Part() }

    private func part(of request: RequestContext) -> Part {
        // Addresses of objects are multiples of 16, so their last four bits carry no information.
        parts[Int((UInt(bitPattern: ObjectIdentifier(request)) >> 4) % UInt(parts.count))]
    }

    /// Suspends the connection and runs a task that awaits the response.
    /// - Returns: false after ``abandonAll()``. The connection is then not suspended.
    func await(
        _ response: @escaping @Sendable () async -> HTTPServerResponse, for request: RequestContext,
        on connection: OpaquePointer
    ) -> Bool {
        let connection = SuspendedConnection(pointer: connection)
        return part(of: request).state.withLock { state in
            guard !state.isClosed else { return false }
            MHD_suspend_connection(connection.pointer)
            let task = Task { self.deliver(await response(), for: request) }
            state.replies[ObjectIdentifier(request)] = Reply(request: request, connection: connection, task: task)
            return true
        }
    }

    /// Responds to every waiting request with status 503, and refuses all later requests.
    func abandonAll() {
        for part in parts {
            part.state.withLock { state in
                state.isClosed = true
                for reply in state.replies.values {
                    reply.task.cancel()
                    reply.resume(with: reply.request.refusal(.serviceUnavailable))
                }
                state.replies = [:]
            }
        }
    }

    private func deliver(_ response: HTTPServerResponse, for request: RequestContext) {
        let isAwaited = part(of: request).state.withLock { state in
            guard let reply = state.replies.removeValue(forKey: ObjectIdentifier(request)) else { return false }
            reply.resume(with: response)
            return true
        }
        if !isAwaited { response.drop() }
    }
}

/// The pointer to a suspended connection of libmicrohttpd.
private struct SuspendedConnection: @unchecked Sendable {
    // The pointer is valid while the connection is suspended. It is used only under a lock of `PendingReplies`.
    let pointer: OpaquePointer
}
