import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteHTTP
import RemoteService

/// Sends the requests of a user's syncs under a session of this user.
struct SessionTransport: Sendable {
    let transport: any HTTPTransport
    let sessions: any TokenSource

    /// The maximum number of sessions under which one request is tried.
    private static let sessionsMax = 10

    /// Sends a request of a sync under a session of the user. A server checks the session before it executes anything.
    /// If it refuses the session, sends the request again under the user's other sessions, at most `sessionsMax` in
    /// total. Reports refused sessions to `sessions`.
    ///
    /// Without a session, sends nothing, and returns the answer that a server gives to an unknown token.
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
