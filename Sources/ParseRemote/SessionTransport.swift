import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteHTTP
import RemoteService

/// Sends the requests of syncs under the session of one user.
struct SessionTransport: Sendable {
    let transport: any HTTPTransport
    let sessions: any TokenSource

    /// The maximum number of sessions that one request tries.
    private static let sessionsMax = 10

    /// Sends a request of a sync under the session of the configuration's user. If the server refuses the session, which it checks
    /// before it executes anything, the request is sent again under the user's other sessions, `sessionsMax` at most. Refused sessions
    /// are reported to `sessions`.
    ///
    /// Without a session, nothing is sent. The result then is the answer of a server to an unknown token.
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        guard var token = await sessions.token() else { return Self.withoutSession }
        var response = try await send(request, under: token)
        for _ in 1..<Self.sessionsMax {
            guard response.refusesSession, let other = await sessions.renewed(after: token) else { break }
            token = other
            response = try await send(request, under: token)
        }
        return response
    }

    private func send(
        _ request: HTTPClientRequest, under token: String
    ) async throws(HTTPTransportError) -> HTTPClientResponse {
        let response = try await transport.send(request.acting(by: token))
        if let time = ParseDate(dateOf: response) { sessions.note(serverTime: time) }
        if response.status.kind == .successful {
            // A session can end while the server executes a batch.
            if response.refusesSessionOfItem {
                await sessions.noteDoubt(about: token)
            } else {
                sessions.noteAccepted(token)
            }
        }
        return response
    }

    private static let withoutSession = HTTPClientResponse(
        status: .badRequest, headers: [.contentType: "application/json"],
        body: ParseError(.invalidSessionToken, SyncError.waitsForLogIn.message).body)
}

extension ParseError {
    fileprivate var body: [UInt8] {
        (["code": .number(JSONNumber(code.rawValue)), "error": .string(message)] as JSONObject).jsonBytes
    }
}
