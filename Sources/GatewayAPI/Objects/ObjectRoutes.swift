import HTTPServer
import HTTPTypes
import ParseModel

/// The routes of objects: `/classes/…`, and the paths of Parse Server's special classes.
struct ObjectRoutes: Sendable {
    let reads: ObjectReads
    let writes: ObjectWrites
    let responses: ResponseBuilder
    let lists: ListRunner
    /// Forwards queries about relations; nil in a standalone gateway.
    let forwarded: ForwardedQueries?
    let lives: ObjectLives

    var routes: [Route] {
        let classes = "/classes/{className}"
        return [
            Route(.get, classes, "listObjects", .objects(.list), list),
            Route(.post, classes, "createObject", .objects(.create), create),
            Route(.get, "\(classes)/{objectId}", "getObject", .objects(.get), get),
            Route(.put, "\(classes)/{objectId}", "updateObject", .objects(.update), change),
            Route(.delete, "\(classes)/{objectId}", "deleteObject", .objects(.delete), change),
        ]
    }

    /// The routes of the special classes. In the route table they come after `/users/me` and `/sessions/me`, because patterns
    /// such as `/users/{objectId}` also match `/users/me`.
    var specialRoutes: [Route] {
        routes(at: "/users", of: "_User", "User", create: "signUp", signIn: .signUp)
            + routes(at: "/installations", of: "_Installation", "Installation")
            + routes(at: "/roles", of: "_Role", "Role")
            + routes(at: "/sessions", of: "_Session", "Session")
    }

    /// The routes of one special class.
    func routes(
        at path: String, of className: String, _ name: String, create createName: String? = nil,
        signIn: RoutePolicy.SignIn? = nil, access: RoutePolicy.Access = .keyed
    ) -> [Route] {
        let object = "\(path)/{objectId}"
        let policy = { (kind: ObjectOperation.Kind) -> RoutePolicy in
            var policy = RoutePolicy.objects(kind, of: className)
            policy.access = access
            return policy
        }
        return [
            Route(.get, path, "list\(name)s", policy(.list), list),
            Route(.post, path, createName ?? "create\(name)", policy(.create).with { $0.signIn = signIn }, create),
            Route(.get, object, "get\(name)", policy(.get), get),
            Route(.put, object, "update\(name)", policy(.update), change),
            Route(.delete, object, "delete\(name)", policy(.delete), change),
        ]
    }

    private func get(_ request: RoutedRequest) throws -> RouteReply {
        if ObjectLives.areAsked(by: request.parse.searchParameters) {
            return .later { [lives] in try await lives.response(to: request) }
        }
        let found = try reads.get(request)
        return .now(responses.object(found.text, tag: found.tag))
    }

    private func list(_ request: RoutedRequest) throws -> RouteReply {
        guard let forwarded, let relation = try ForwardedQueries.relation(in: request) else {
            return try lists.reply(to: request)
        }
        return .later { [lists, responses] in
            if let answer = try await forwarded.answer(request, about: relation) { return responses.json(answer) }
            return try await lists.response(to: request)
        }
    }

    private func create(_ request: RoutedRequest) throws -> RouteReply {
        let write = try writes.write(request)
        return .later { [writes, responses] in
            switch try await writes.prepared(write, for: request) {
            case .write(let write):
                let performed = try await writes.perform(write, for: request)
                let receipt = performed.receipt
                let answer = ObjectWrites.answer(to: write, receipt)
                guard !receipt.hasUpdatedExisting else {
                    return Self.noting(performed.state, request, responses.json(answer))
                }
                var response = responses.json(answer, status: .created)
                response.headers[.location] = Self.location(of: receipt.objectId, write.className, request)
                return Self.noting(performed.state, request, response)
            case .answer(let user, let userId):
                var response = responses.json(user)
                response.headers[.location] = Self.location(of: userId, "_User", request)
                return response
            }
        }
    }

    private static func location(of objectId: String, _ className: String, _ request: RoutedRequest) -> String {
        let path = className == "_User" ? ["users"] : ["classes", className]
        return request.base + (path + [objectId]).map { "/" + PercentCoding.encodedPathSegment($0) }.joined()
    }

    /// The response with the headers that a client's wish about the remote adds.
    private static func noting(
        _ state: RemoteState?, _ request: RoutedRequest, _ response: HTTPServerResponse
    ) -> HTTPServerResponse {
        guard let state, let preference = request.parse.preference else { return response }
        var response = response
        response.note(state, as: preference)
        return response
    }

    private func change(_ request: RoutedRequest) throws -> RouteReply {
        let write = try writes.write(request)
        if GlobalConfig.isDeleted(by: write), let objectId = write.objectId {
            return .later { [writes, responses] in
                try await GlobalConfig.delete(objectId, in: writes.store)
                return responses.json([:])
            }
        }
        return .later { [writes, responses] in
            guard case .write(let write) = try await writes.prepared(write, for: request) else {
                preconditionFailure("only a create is answered without a write")
            }
            let performed = try await writes.perform(write, for: request)
            return Self.noting(
                performed.state, request, responses.json(ObjectWrites.answer(to: write, performed.receipt)))
        }
    }
}
