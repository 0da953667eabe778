import CMicroHTTPD
import Foundation
import HTTPTypes

/// The state of one request between the callbacks of libmicrohttpd: request line, headers, body and response.
final class RequestContext: @unchecked Sendable {
    // The class needs no lock: all callbacks of a connection run on one thread. Another thread sets `awaitedResponse` only while
    // the connection is suspended.
    private enum Phase {
        case requestLine
        case receiving
        /// The request is refused. Up to `bytesLeft` further bytes of its body are discarded, so that the client receives the
        /// error response instead of a connection reset.
        case discarding(HTTPServerResponse, bytesLeft: Int)
        case awaiting
        case answered
    }

    /// The response to send when the suspended connection resumes: the result of the handler's asynchronous function, or a
    /// refusal if the server stops. Nil before the response is known, and after it is sent.
    var awaitedResponse: HTTPServerResponse?

    private let state: ServerState
    private let target: RequestTarget?
    private let targetPlace: UInt
    private let targetCount: Int
    private var connection: Connection?
    /// The handler of the WebSocket that the connection becomes after the response; nil for any other response, and when the
    /// connection has become one.
    private var webSocketHandler: (any WebSocketHandler)?
    private var answerBytesReserved = 0
    /// True to close the connection after the response. Set for chunked bodies: libmicrohttpd parses chunks leniently, so a
    /// proxy may see another end of the body.
    private var isLast = false
    private var phase = Phase.requestLine
    /// True while `state.requests` counts this request.
    private var isInProgress = false
    /// The request without its body; nil until a valid head has been read.
    private var head: HTTPServerRequest?
    private var body: IncomingBody?

    /// - Parameter target: the request target in libmicrohttpd's receive buffer. With nil, the request is refused.
    init(state: ServerState, target: UnsafePointer<CChar>?) {
        self.state = state
        let text = target.map { String(cString: $0) }
        self.target = text.flatMap { RequestTarget($0) }
        targetPlace = UInt(bitPattern: target)
        targetCount = target.map { strlen($0) } ?? 0
    }

    /// Handles a call of libmicrohttpd's access callback: after the headers, for each piece of the body, at the end of the
    /// request, and after a suspended connection resumes.
    func received(
        on connection: OpaquePointer, method: UnsafePointer<CChar>, version: UnsafePointer<CChar>,
        upload: UnsafePointer<CChar>?, uploadBytes: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        switch phase {
        case .requestLine:
            state.requests.begin()
            isInProgress = true
            if let known = tidegate_mhd_socket_context(connection) {
                let known = Unmanaged<Connection>.fromOpaque(known).takeUnretainedValue()
                self.connection = known
                state.connections.readRequest(of: known)
            }
            return begin(
                connection,
                RequestLineLayout(method: method, targetPlace: targetPlace, targetCount: targetCount, version: version))
        case .receiving where uploadBytes.pointee > 0:
            return receive(upload, uploadBytes)
        case .discarding(let refusal, let bytesLeft) where uploadBytes.pointee > 0:
            return discard(uploadBytes, bytesLeft, refusal)
        case .receiving:
            return answer(connection)
        case .discarding(let refusal, _):
            return send(refusal, on: connection)
        case .awaiting:
            return awaitedResponse.map { send($0, on: connection) } ?? .YES
        case .answered:
            return .YES
        }
    }

    /// Releases what the request still holds: the body if there was no answer, the response, and its memory. Called when the
    /// response is sent or the connection is lost.
    func completed() {
        body?.drop()
        awaitedResponse?.drop()
        webSocketHandler?.closed()
        state.answerBudget.release(answerBytesReserved)
        if let connection, !connection.isUpgraded { connection.enter(.waiting, at: state.uptime()) }
        endProgress()
    }

    /// Hands the socket over to the WebSockets. Called when the response of the handshake is sent.
    ///
    /// The WebSocket gets a duplicate of the descriptor. So libmicrohttpd can free its memory for the connection at once, which
    /// would be 64 KiB after an earlier request, and its stop does not depend on the WebSockets. With TLS, libmicrohttpd
    /// goes on to encrypt and decrypt the bytes of the WebSocket, until the WebSocket ends.
    /// - Parameters:
    ///   - received: the bytes that have arrived after the request. Valid during the call only.
    ///   - end: ends libmicrohttpd's part in the connection. Called once.
    func upgraded(_ socket: Int32, received: UnsafeRawBufferPointer, end: @escaping @Sendable () -> Void) {
        guard let handler = webSocketHandler.take() else { return end() }
        let own = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        // After a stop of libmicrohttpd, its part could no longer be ended.
        guard own >= 0, let connection, !state.requests.isDraining else {
            if own >= 0 { _ = close(own) }
            handler.closed()
            return end()
        }
        state.connections.becomesWebSocket(connection)
        // The WebSocket may last for days, and a stop of the server does not wait for it as for a request.
        endProgress()
        if state.certificates == nil {
            state.webSockets.add(own, handler, received: received)
            end()
        } else {
            state.webSockets.add(own, handler, received: received, onClose: end)
        }
    }

    /// Handles the headers. Only an error response is queued here, because libmicrohttpd closes the connection after a response
    /// that precedes the body.
    private func begin(_ connection: OpaquePointer, _ line: RequestLineLayout) -> MHD_Result {
        phase = .receiving
        guard let target else { return send(refusal(.badRequest), on: connection) }
        let head: RequestHead
        do throws(HeadRefusal) {
            head = try RequestHead(connection, line, target)
        } catch {
            return send(refusal(error.status), on: connection)
        }
        var request = HTTPServerRequest(
            method: head.method, path: target.path, query: target.query, headers: head.headers,
            client: self.connection?.client ?? HTTPClientPresence(), peer: self.connection?.peer ?? .unknown,
            isHTTP11: line.isHTTP11)
        request.scheme = state.certificates == nil ? "http" : "https"
        self.head = request
        guard !state.headLimit.isExceeded(bytes: tidegate_mhd_head_size(connection), headers: head.headers.count) else {
            return send(refusal(.requestHeaderFieldsTooLarge), on: connection)
        }
        isLast = head.framing == .chunked
        guard head.framing != .length(0) else { return .YES }
        self.connection?.enter(.receiving, at: state.uptime())
        var body: IncomingBody
        switch state.handler.bodyPlace(for: request) {
        case .memory(let bytesMax):
            body = IncomingBody(bytesMax: bytesMax ?? state.bodyBytesMax, memory: state.bodyMemory)
        case .sink(let sink): body = IncomingBody(sink, memory: state.bodyMemory)
        case .refused(let response): return refuse(head, with: response, on: connection)
        }
        defer { self.body = body }
        guard case .length(let length) = head.framing else { return .YES }
        guard length > body.bytesMax else {
            body.reserve(length)
            return .YES
        }
        body.drop()
        return refuse(head, with: refusal(.contentTooLarge), on: connection)
    }

    /// Refuses a request before its body has arrived. The response is sent at once if the client waits for `100 Continue`, or if
    /// Content-Length exceeds `discardedBytesMax`. Otherwise, the response is sent after the body.
    private func refuse(
        _ head: RequestHead, with response: HTTPServerResponse, on connection: OpaquePointer
    ) -> MHD_Result {
        let bytesLeft = if case .length(let length) = head.framing { length } else { state.discardedBytesMax }
        if head.expectsContinue || bytesLeft > state.discardedBytesMax { return send(response, on: connection) }
        phase = .discarding(response, bytesLeft: bytesLeft)
        return .YES
    }

    /// Builds the server's own error response to this request.
    func refusal(_ status: HTTPResponse.Status) -> HTTPServerResponse { state.refusal(status, head) }

    private func receive(_ upload: UnsafePointer<CChar>?, _ uploadBytes: UnsafeMutablePointer<Int>) -> MHD_Result {
        let piece = UnsafeRawBufferPointer(start: upload, count: uploadBytes.pointee)
        connection?.received(piece.count)
        if let status = body?.receive(piece) {
            if status == .serviceUnavailable {
                state.connections.reclaim(state.bodyMemory.need(of: piece), in: .receiving)
            }
            body?.drop()
            return discard(uploadBytes, state.discardedBytesMax, refusal(status))
        }
        uploadBytes.pointee = 0
        return .YES
    }

    private func discard(
        _ uploadBytes: UnsafeMutablePointer<Int>, _ bytesLeft: Int, _ refusal: HTTPServerResponse
    ) -> MHD_Result {
        // `.NO` closes the connection. libmicrohttpd cannot send the refusal here, before the end of a body that has begun to
        // arrive.
        guard bytesLeft >= uploadBytes.pointee else { return .NO }
        connection?.received(uploadBytes.pointee)
        phase = .discarding(refusal, bytesLeft: bytesLeft - uploadBytes.pointee)
        uploadBytes.pointee = 0
        return .YES
    }

    private func answer(_ connection: OpaquePointer) -> MHD_Result {
        guard var request = head else { return .NO }
        body?.move(into: &request)
        self.connection?.enter(.working, at: state.uptime())
        switch state.handler.handle(request) {
        case .now(let response):
            return send(response, on: connection)
        case .later(let response):
            phase = .awaiting
            if state.pendingReplies.await(response, for: self, on: connection) { return .YES }
            return send(refusal(.serviceUnavailable), on: connection)
        }
    }

    private func send(_ response: HTTPServerResponse, on connection: OpaquePointer) -> MHD_Result {
        phase = .answered
        awaitedResponse = nil
        // The handler has finished with the body. Its memory must not wait for a client that reads the response slowly.
        body?.drop()
        body = nil
        let isClosing = state.requests.isDraining || isLast
        if case .webSocket(let handler) = response.content {
            webSocketHandler = handler
            // A stop of the server has already closed the WebSockets.
            if isClosing { return send(refusal(.serviceUnavailable), on: connection) }
        }
        guard reserve(response) else {
            return refusal(.serviceUnavailable).queue(on: connection, closing: isClosing, streams: state.streams)
        }
        guard response.queue(on: connection, closing: isClosing, streams: state.streams) == .YES else {
            return refusal(.internalServerError).queue(on: connection, closing: true, streams: state.streams)
        }
        // The request is no longer in progress: `OpenStreams` counts its stream instead.
        if case .stream = response.content { endProgress() }
        return .YES
    }

    /// Begins the connection's phase `sending` or `streaming`. Reserves a part of `answerBudget` for a large response in memory.
    /// - Returns: false if the budget is exhausted.
    private func reserve(_ response: HTTPServerResponse) -> Bool {
        let now = state.uptime()
        switch response.content {
        case .bytes(let bytes):
            connection?.enter(.sending, at: now, bytes: bytes.count)
            guard bytes.count >= Self.countedBytesMin else { return true }
            guard state.answerBudget.reserve(bytes.count) else {
                connection?.enter(.sending, at: now)
                state.connections.reclaim(bytes.count, in: .sending)
                return false
            }
            answerBytesReserved = bytes.count
        case .file(let range): connection?.enter(.sending, at: now, bytes: Int(range.count))
        case .stream: connection?.enter(.streaming, at: now)
        case .webSocket: connection?.enter(.sending, at: now)
        }
        return true
    }

    /// The size in bytes from which a response in memory counts against `answerBudget`. Smaller responses do not count.
    private static let countedBytesMin = 64 << 10

    private func endProgress() {
        if isInProgress { state.requests.end() }
        isInProgress = false
    }
}
