import HTTPClient
import HeaderNames
import ParseModel
import RemoteHTTP
import RemoteService

/// Asks a Parse Server about the sessions of its users. The requests contain no master key: with it, a server would
/// ignore the session, or answer a batch although the session has ended.
struct ParseSessions: RemoteSessionService {
    let transport: any HTTPTransport
    let requests: ParseRequests
    let reader: AnswerReader

    /// Asks for the user and the session in one batch. A server that refuses batches is asked for the user alone.
    func session(of token: String) async throws(RemoteError) -> RemoteSession? {
        let items = ["/users/me", "/sessions/me"].map(requests.item(reading:))
        let response = try await response(to: requests.batch(items, isRepeatable: true), under: token)
        if response.refusesSession { return nil }
        switch reader.readBatch(response, count: items.count) {
        case .success(let answers):
            if case .failure(.unauthorized) = answers[0] { return nil }
            let session = try? answers[1].get().object
            return try Self.session(try answers[0].orRemoteError().object, session)
        case .failure(.refused), .failure(.tooLarge):
            let alone = try await self.response(to: requests.get("/users/me"), under: token)
            return alone.refusesSession ? nil : try Self.session(try reader.read(alone).orRemoteError().object, nil)
        case .failure(let failure): throw failure.remoteError
        }
    }

    private static func session(_ user: JSONObject?, _ session: JSONObject?) throws(RemoteError) -> RemoteSession {
        guard var user, let id = user["objectId"]?.string, !id.isEmpty else {
            throw .faulty(status: 200, reason: "the answer for /users/me has no objectId")
        }
        for name in ["sessionToken", "__type", "className"] { user[name] = nil }
        return RemoteSession(
            user: user, sessionId: session?["objectId"]?.string,
            expiresAt: session?["expiresAt"].flatMap { ParseDate($0) })
    }

    func endSession(of token: String) async throws(RemoteError) {
        let response = try await response(to: requests.logOut(), under: token)
        if !response.refusesSession { _ = try reader.read(response).orRemoteError() }
    }

    private func response(
        to request: HTTPClientRequest, under token: String
    ) async throws(RemoteError) -> HTTPClientResponse {
        do {
            return try await transport.send(request.acting(by: token))
        } catch {
            throw reader.cleaner.remoteError(of: error)
        }
    }
}

extension HTTPClientRequest {
    /// The request, sent under the session of this token.
    func acting(by token: String) -> HTTPClientRequest {
        var request = self
        request.headers[.parseSessionToken] = token
        return request
    }
}

extension HTTPClientResponse {
    /// Whether the answer has Parse's code 209 (invalid session token). Other refusals, such as that of a proxy, do not
    /// show that the session is invalid.
    var refusesSession: Bool {
        guard status.kind == .clientError else { return false }
        return (try? JSONReader.read(body).object?["code"]?.int) == ParseError.Code.invalidSessionToken.rawValue
    }

    /// Whether an item in the answer to a batch may have code 209 (invalid session token). Texts of objects can look
    /// the same. A large answer contains objects, and is not searched.
    var refusesSessionOfItem: Bool {
        guard body.first == UInt8(ascii: "["), body.count < 65_536 else { return false }
        return body.firstRange(of: Self.refusalOfItem) != nil
    }

    private static let refusalOfItem = Array("\"code\":\(ParseError.Code.invalidSessionToken.rawValue)".utf8)
}
