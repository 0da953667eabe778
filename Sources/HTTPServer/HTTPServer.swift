import HTTPTypes
import Synchronization

/// An HTTP/1.1 server on one listening socket. libmicrohttpd receives the requests, and an ``HTTPHandler`` handles them.
///
/// The server runs from `init` until ``stop(grace:)``.
package final class HTTPServer: Sendable {
    /// The TCP port on which the server listens; the chosen port if the configuration asks for any free port.
    package let port: UInt16
    private let parts: Parts
    /// Builds the response to a request that the server refuses itself, in the format of the handler's errors.
    /// - Parameter head: the readable part of the request, without its body; nil if the head is unreadable or arrived too late.
    package typealias Refusal =
        @Sendable (_ status: HTTPResponse.Status, _ head: HTTPServerRequest?) -> HTTPServerResponse
    private let stopping = Mutex<Task<Void, Never>?>(nil)

    /// The parts of the server that `stop` stops. They have a type of their own, so that `deinit` can pass them to a task.
    private struct Parts: Sendable {
        let state: ServerState
        let daemon: MicroHTTPDaemon
        let acceptor: Acceptor
    }

    /// Starts to listen and to handle requests.
    ///
    /// - Parameters:
    ///   - uptime: the time since a fixed point, on a monotonic clock.
    ///   - sleep: suspends for a duration, and throws if its task is cancelled. Used by ``stop(grace:)``, and for
    ///     the pings of WebSockets.
    ///   - refusal: builds the server's own error responses: status 400, 408, 413, 414, 431, 500, 501, 503, 505, and the status
    ///     of an `HTTPBodyRefusal`.
    /// - Throws: ``HTTPServerError`` if the server cannot listen on the address.
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
                adopt: { descriptor, address in daemon.adopt(descriptor, from: address) }, wake: daemon.wake))
    }

    /// Lets connections that begin later use another certificate. Without TLS, this has no effect.
    package func change(to certificate: ServerCertificate) { parts.state.certificates?.change(to: certificate) }

    /// Stops accepting connections, ends all streams, closes all WebSockets (code 1001), waits up to `grace` for the other requests in
    /// progress and up to 2 s of `grace` for the WebSockets, then closes all connections.
    ///
    /// A request without a response after `grace` is refused with status 503, and its task is cancelled. A second call waits for
    /// the first.
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
        // The last reference may be released on one of the server's own threads, which cannot wait for its own end. A task stops
        // the server instead.
        Task { [parts] in await Self.takeDown(parts, grace: .zero) }
    }

    private static func takeDown(_ parts: Parts, grace: Duration) async {
        parts.state.requests.beginDraining()
        parts.state.streams.endAll()
        parts.state.webSockets.closeAll()
        await parts.acceptor.stop()
        async let areWebSocketsClosed: Void = parts.state.webSockets.waitUntilNone(within: min(grace, closingTimeMax))
        await parts.state.requests.waitUntilNone(within: grace)
        await areWebSocketsClosed
        parts.state.pendingReplies.abandonAll()
        // The polling threads still have to send the refusals and the ends of streams.
        await parts.state.requests.waitUntilNone(within: .milliseconds(200))
        await parts.state.streams.waitUntilNone(within: .milliseconds(200))
        // With TLS, libmicrohttpd has a part in each WebSocket, which must end before libmicrohttpd stops.
        await parts.state.webSockets.dropAll()
        await DedicatedThread(named: "http-stop") { parts.daemon.stop() }.join()
    }

    /// The maximum time for which a stop waits for the close frames of the clients of WebSockets.
    private static let closingTimeMax = Duration.seconds(2)
}
