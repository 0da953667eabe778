import CMicroHTTPD
import HTTPTypes

/// One request on its way through libmicrohttpd's callbacks: request line, headers, body piece by piece, answer.
final class RequestContext: @unchecked Sendable {
    // libmicrohttpd makes its calls for one connection on one thread; `awaitedResponse` comes from elsewhere while the
    // connection is suspended, and resuming it orders the two.
    private enum Phase {
        case requestLine
        case receiving
        /// The body is swallowed, so that the client reads the refusal instead of a reset connection.
        case discarding(HTTPServerResponse, bytesLeft: Int)
        case awaiting
        case answered
    }

    /// The answer that the request was suspended for.
    var awaitedResponse: HTTPServerResponse?

    private let state: ServerState
    private let target: RequestTarget?
    private var phase = Phase.requestLine
    /// Counted among those that a stop waits for.
    private var isInProgress = false
    /// The request without its body; nil where its headers cannot be read.
    private var head: HTTPServerRequest?
    private var body: IncomingBody?

    /// - Parameter target: the second word of the request line, as the client sent it.
    init(state: ServerState, target: UnsafePointer<CChar>?) {
        self.state = state
        self.target = target.flatMap { RequestTarget(String(cString: $0)) }
    }

    /// libmicrohttpd's access handler: the first call comes after the headers, then one for each piece of the body,
    /// a last one at the end of the request, and another when a suspended connection is resumed.
    func received(
        on connection: OpaquePointer, method: UnsafePointer<CChar>, upload: UnsafePointer<CChar>?,
        uploadBytes: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        switch phase {
        case .requestLine:
            state.requests.begin()
            isInProgress = true
            return begin(connection, method)
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

    /// The request is over: answered, or its connection is gone.
    func completed() {
        body?.drop()
        awaitedResponse?.drop()
        leave()
    }

    /// Queuing an answer here makes libmicrohttpd close the connection, so only refusals do.
    private func begin(_ connection: OpaquePointer, _ method: UnsafePointer<CChar>) -> MHD_Result {
        phase = .receiving
        guard let target, let head = RequestHead(connection, method: method) else {
            return send(refusal(.badRequest), on: connection)
        }
        let request = HTTPServerRequest(
            method: head.method, path: target.path, query: target.query, headers: head.headers)
        self.head = request
        guard head.framing != .length(0) else { return .YES }
        var body: IncomingBody
        switch state.handler.bodyPlace(for: request) {
        case .memory(let bytesMax):
            body = IncomingBody(bytesMax: bytesMax ?? state.bodyBytesMax, budget: state.bodyBudget)
        case .sink(let sink): body = IncomingBody(sink, budget: state.bodyBudget)
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

    /// Answers a request before its body has come.
    private func refuse(
        _ head: RequestHead, with response: HTTPServerResponse, on connection: OpaquePointer
    ) -> MHD_Result {
        let bytesLeft = if case .length(let length) = head.framing { length } else { state.discardedBytesMax }
        if head.expectsContinue || bytesLeft > state.discardedBytesMax { return send(response, on: connection) }
        phase = .discarding(response, bytesLeft: bytesLeft)
        return .YES
    }

    /// A refusal that fits the request.
    func refusal(_ status: HTTPResponse.Status) -> HTTPServerResponse { state.refusal(status, head) }

    private func receive(_ upload: UnsafePointer<CChar>?, _ uploadBytes: UnsafeMutablePointer<Int>) -> MHD_Result {
        let piece = UnsafeRawBufferPointer(start: upload, count: uploadBytes.pointee)
        if let status = body?.receive(piece) {
            body?.drop()
            return discard(uploadBytes, state.discardedBytesMax, refusal(status))
        }
        uploadBytes.pointee = 0
        return .YES
    }

    private func discard(
        _ uploadBytes: UnsafeMutablePointer<Int>, _ bytesLeft: Int, _ refusal: HTTPServerResponse
    ) -> MHD_Result {
        // Whoever sends without end is cut off without an answer: there is no way to send one in mid-body.
        guard bytesLeft >= uploadBytes.pointee else { return .NO }
        phase = .discarding(refusal, bytesLeft: bytesLeft - uploadBytes.pointee)
        uploadBytes.pointee = 0
        return .YES
    }

    private func answer(_ connection: OpaquePointer) -> MHD_Result {
        guard var request = head else { return .NO }
        body?.hand(to: &request)
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
        let isClosing = state.requests.isDraining
        guard response.queue(on: connection, closing: isClosing, streams: state.streams) == .YES else {
            return refusal(.internalServerError).queue(on: connection, closing: true, streams: state.streams)
        }
        // Streams are counted apart: nothing waits for the end of those.
        if case .stream = response.content { leave() }
        return .YES
    }

    private func leave() {
        if isInProgress { state.requests.end() }
        isInProgress = false
    }
}
