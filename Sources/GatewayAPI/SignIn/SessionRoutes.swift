import HTTPServer
import ParseModel
import StoreService

/// The routes of the caller's own session in a standalone gateway.
struct SessionRoutes: Sendable {
    let sessions: Sessions
    let objects: any ObjectStore
    let writes: ObjectWrites
    let responses: ResponseBuilder

    var routes: [Route] {
        // As on a Parse Server, an expired session can read itself.
        let reading = RoutePolicy.parse.with { $0.sessions = .ignored }
        return [
            Route(.get, "/sessions/me", "getCurrentSession", reading, me),
            Route(.put, "/sessions/me", "updateCurrentSession", .parse, change),
            Route(.delete, "/sessions/me", "endCurrentSession", .parse, end),
            Route(.post, "/upgradeToRevocableSession", "upgradeSession", .parse, upgrade),
        ]
    }

    private func me(_ request: RoutedRequest) throws -> RouteReply {
        let (token, session) = try own(request)
        return .now(responses.json(try shown(session.user.sessionId, token, to: .user(session.user))))
    }

    private func change(_ request: RoutedRequest) throws -> RouteReply {
        let (_, session) = try own(request)
        let write = WriteRequest.update(
            className: "_Session", objectId: session.user.sessionId, body: try request.parse.body.fields)
        return .later { [writes, responses] in
            guard case .write(let write) = try await writes.prepared(write, for: request) else {
                throw ParseError.invalidSession
            }
            let receipt = try await writes.perform(write, as: request.principal)
            return responses.json(ObjectWrites.answer(to: write, receipt))
        }
    }

    /// Ends the session, as `/logout` does.
    private func end(_ request: RoutedRequest) throws -> RouteReply {
        let (token, _) = try own(request)
        return .later { [sessions, responses] in
            try await sessions.store.endSession(of: token)
            return responses.json([:])
        }
    }

    /// Opens another session for the caller. All sessions are revocable here.
    private func upgrade(_ request: RoutedRequest) throws -> RouteReply {
        guard let user = request.principal.user else { throw ParseError(.objectNotFound, "invalid session") }
        let session = sessions.new(
            "upgrade", by: nil, installationId: request.parse.credentials.installationId)
        return .later { [self] in
            let sessionId = try await sessions.store.open(session, of: user.objectId)
            return responses.json(try shown(sessionId, session.token, to: request.principal))
        }
    }

    private func own(_ request: RoutedRequest) throws -> (token: String, session: OpenSession) {
        guard let token = request.parse.credentials.sessionToken else { throw ParseError.sessionRequired }
        guard let session = try sessions.store.session(of: token) else {
            throw ParseError(.invalidSessionToken, "Session token not found.")
        }
        return (token, session)
    }

    /// The session with its token, without the fields that are protected from its user.
    private func shown(_ sessionId: String, _ token: String, to user: Principal) throws -> JSONObject {
        guard var session = try objects.object("_Session", sessionId, as: user)?.fields(of: "_Session") else {
            throw ParseError(.invalidSessionToken, "Session token not found.")
        }
        session["sessionToken"] = .string(token)
        return session
    }
}
