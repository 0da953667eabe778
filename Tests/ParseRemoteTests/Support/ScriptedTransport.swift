import HTTPClient
import HTTPTypes
import ParseModel

/// A transport that records requests and returns prepared answers.
actor ScriptedTransport: HTTPTransport {
    /// The maximum number of requests, so that an endless loop fails the test.
    private static let requestsMax = 500
    typealias Answer = Result<HTTPClientResponse, HTTPTransportError>

    private(set) var sent: [HTTPClientRequest] = []
    private let answer: @Sendable (HTTPClientRequest) -> Answer
    private var script: [Answer]?

    /// Answers each request with a function.
    init(answering answer: @escaping @Sendable (HTTPClientRequest) -> Answer) { self.answer = answer }

    /// Returns the answers in order.
    init(_ script: [Answer]) {
        self.script = script
        answer = { _ in .failure(.outcomeUnknown(reason: "no answer left")) }
    }

    init(_ responses: HTTPClientResponse...) { self.init(responses.map { .success($0) }) }

    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        sent.append(request)
        if sent.count > Self.requestsMax { throw .notSent(reason: "too many requests in a test") }
        if script?.isEmpty == false, let next = script?.removeFirst() { return try next.get() }
        return try answer(request).get()
    }
}

extension HTTPClientResponse {
    static let date = "Sat, 21 Nov 2026 01:29:11 GMT"

    static func make(_ body: JSONValue, headers: HTTPFields = [:]) -> HTTPClientResponse {
        make(200, body, headers: headers)
    }

    static func make(_ status: Int, _ body: JSONValue, headers: HTTPFields = [:]) -> HTTPClientResponse {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        if headers[.date] == nil { headers[.date] = date }
        return HTTPClientResponse(status: .init(code: status), headers: headers, body: body.jsonBytes)
    }
}
