import CMicroHTTPD
import Synchronization

/// Requests that wait for an asynchronous response. The connection of each is suspended.
///
/// One lock covers both the check that a response is awaited and the resume. A connection is therefore resumed exactly
/// once, and never after the daemon has stopped. The requests are divided among 16 locks, because suspending and
/// resuming are system calls, and waiting for one shared lock took 7% of a create.
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
        // The allocator aligns objects to 16 bytes.
        parts[Int((UInt(bitPattern: ObjectIdentifier(request)) >> 4) % UInt(parts.count))]
    }

    /// Suspends the connection and awaits the response in a task.
    /// - Returns: false after ``abandonAll()``; the connection is then not suspended.
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

    /// Responds with status 503 to every waiting request and refuses later ones.
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

private struct SuspendedConnection: @unchecked Sendable {
    // Valid as long as the connection is suspended, and used under the lock of PendingReplies only.
    let pointer: OpaquePointer
}
