import HTTPTypes
import Synchronization

/// An HTTP/1.1 server on one listening socket: libmicrohttpd behind an ``HTTPHandler``.
///
/// It runs from `init` until ``stop(grace:)``.
package final class HTTPServer: Sendable {
    /// The port that is really listened on, also where the configuration asked for any free one.
    package let port: UInt16
    private let parts: Parts
    /// Makes the response to a request that the server itself refuses, so that it looks like the handler's own errors.
    /// - Parameter head: the request without its body; nil where its headers cannot be read.
    package typealias Refusal =
        @Sendable (_ status: HTTPResponse.Status, _ head: HTTPServerRequest?) -> HTTPServerResponse
    private let stopping = Mutex<Task<Void, Never>?>(nil)

    /// What has to be taken down in order, apart from the server so that its `deinit` can hand it on.
    private struct Parts: Sendable {
        let state: ServerState
        let daemon: MicroHTTPDaemon
        let acceptor: Acceptor
    }

    /// Binds, listens and starts answering.
    ///
    /// - Parameters:
    ///   - uptime: time since some fixed point, never set back.
    ///   - sleep: waits so long, for a stop that gives requests their time; throws where its task is cancelled meanwhile.
    ///   - refusal: for status 400, 408, 413, 414, 431, 500, 501, 503 and 505.
    /// - Throws: ``HTTPServerError`` where the address cannot be listened on.
    package init(
        configuration: Configuration, handler: any HTTPHandler,
        uptime: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void,
        refusal: @escaping Refusal
    ) throws(HTTPServerError) {
        let wakeUp = try WakeUp()
        let state = ServerState(
            configuration: configuration, handler: handler, refusal: refusal, uptime: uptime, sleep: sleep
        ) {
            wakeUp.signal()
        }
        let listener = try ListeningSocket(host: configuration.host, port: configuration.port)
        let daemon: MicroHTTPDaemon
        do throws(HTTPServerError) {
            daemon = try MicroHTTPDaemon(configuration: configuration, state: state)
        } catch {
            listener.close()
            throw error
        }
        port = listener.port
        parts = Parts(
            state: state, daemon: daemon,
            acceptor: Acceptor(
                listener: listener, wakeUp: wakeUp, state: state, configuration: configuration,
                adopt: { descriptor, address in daemon.adopt(descriptor, from: address) }))
    }

    /// Stops accepting, ends streams, lets other requests in progress finish for at most `grace`, then closes every
    /// connection.
    ///
    /// A request whose answer is still awaited at the end of `grace` is refused with 503 and its task is cancelled.
    /// Further calls wait for the first one.
    package func stop(grace: Duration) async {
        let task = stopping.withLock { running in
            if let running { return running }
            let task = Task { [parts] in await Self.takeDown(parts, grace: grace) }
            running = task
            return task
        }
        await task.value
    }

    deinit {
        guard stopping.withLock({ $0 == nil }) else { return }
        // The last reference may be dropped on one of the server's own threads, which cannot wait for itself.
        Task { [parts] in await Self.takeDown(parts, grace: .zero) }
    }

    private static func takeDown(_ parts: Parts, grace: Duration) async {
        parts.state.requests.beginDraining()
        parts.state.streams.endAll()
        await parts.acceptor.stop()
        await parts.state.requests.waitUntilNone(within: grace)
        parts.state.pendingReplies.abandonAll()
        // The refusals and the ends of streams take one round of the polling threads to go out.
        await parts.state.requests.waitUntilNone(within: .milliseconds(200))
        await parts.state.streams.waitUntilNone(within: .milliseconds(200))
        await OwnThread(named: "http-stop") { parts.daemon.stop() }.join()
    }
}
