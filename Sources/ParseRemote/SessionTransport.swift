import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteHTTP

/// Sends the requests of syncs under the session of one user.
struct SessionTransport: Sendable {
    let transport: any HTTPTransport
    let sessions: any TokenSource

    /// Sends a request of a sync under the session of the configuration's user. If the server refuses the session, which it checks
    /// before it executes anything, the request is sent once more under another session of the user.
    ///
    /// Without a session, nothing is sent. The result then is the answer of a server to an unknown token.
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        guard let token = await sessions.token() else { return Self.withoutSession }
        let response = try await transport.send(request.acting(by: token))
        if let time = ParseDate(dateOf: response) { sessions.note(serverTime: time) }
        guard response.refusesSession, let other = await sessions.renewed(after: token) else { return response }
        return try await transport.send(request.acting(by: other))
    }

    private static let withoutSession = HTTPClientResponse(
        status: .badRequest, headers: [.contentType: "application/json"],
        body: ParseError(.invalidSessionToken, "The changes wait for their author to log in.").body)
}

extension ParseError {
    fileprivate var body: [UInt8] {
        (["code": .number(JSONNumber(code.rawValue)), "error": .string(message)] as JSONObject).jsonBytes
    }
}
