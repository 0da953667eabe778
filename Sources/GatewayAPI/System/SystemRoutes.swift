import HTTPServer
import ParseModel

/// The routes about the gateway itself: health, features, the description of its API, and the principal of a request.
struct SystemRoutes: Sendable {
    private let configuration: APIConfiguration
    private let responses: ResponseBuilder
    /// Forwards requests to the remote; nil in a standalone gateway.
    private let forwarded: ForwardedCalls?
    private let serverInfo: JSONObject

    init(configuration: APIConfiguration, responses: ResponseBuilder, forwarded: ForwardedCalls?) {
        self.configuration = configuration
        self.responses = responses
        self.forwarded = forwarded
        serverInfo = Self.serverInfo(configuration, hasRemote: forwarded != nil)
    }

    var routes: [Route] {
        let health = RoutePolicy.open().with { $0.answersEachMethod = true }
        let description = RoutePolicy.own.with { $0.crossSite = .link }
        return [
            Route(.get, "/health", "getHealth", health) { [responses] _ in .now(responses.json(["status": "ok"])) },
            Route(.get, "/serverInfo", "getServerInfo", .parse, serverInfo),
            Route(.get, "/principal", "getPrincipal", .own) { [responses] request in
                .now(responses.json(request.principal.json))
            },
            Route(.get, "/openapi.yaml", "getOpenAPI", description) { [responses, configuration] _ in
                guard let file = configuration.openAPIFile else { throw APIError.noRoute }
                return .now(responses.data(file, contentType: "application/yaml"))
            },
            Route(.get, "/openapi.json", "getOpenAPIAsJSON", description) { [responses, configuration] _ in
                guard let file = configuration.openAPIJSON else { throw APIError.noRoute }
                return .later { responses.json(try file()) }
            },
        ] + OwnerRoutes(owners: configuration.owners, responses: responses).routes
    }

    private func serverInfo(_ request: RoutedRequest) throws -> RouteReply {
        // A master key other than this gateway's may be the remote's, so a replica forwards the request.
        if let forwarded, !request.principal.isMaster, request.parse.credentials.masterKey != nil {
            return .later { try await forwarded.answer(request) }
        }
        try request.requireMaster()
        return .now(responses.json(serverInfo))
    }

    /// The answer of `/serverInfo`, in the form of Parse Server, for tools that detect features.
    private static func serverInfo(_ configuration: APIConfiguration, hasRemote: Bool) -> JSONObject {
        func features(_ names: String..., are value: Bool) -> JSONValue {
            .object(JSONObject(names.map { ($0, .bool(value)) }))
        }
        var schemas = JSONObject(
            ["addField", "removeField", "addClass", "removeClass", "clearAllDataFromClass"].map { ($0, true) })
        // A standalone gateway enforces permissions. A replica forwards changes of permissions.
        for name in ["editClassLevelPermissions", "editPointerPermissions"] { schemas[name] = true }
        schemas["exportClass"] = false
        var tidegate: JSONObject = [
            "version": .string(configuration.version), "mode": .string(configuration.mode.rawValue),
        ]
        if let remote = configuration.remote {
            tidegate["remote"] = .object(remote.json)
        }
        // Jobs and push notifications are false, because the gateway does not know whether the remote supports them.
        return [
            "features": [
                "globalConfig": features("create", "read", "update", "delete", are: true),
                "hooks": features("create", "read", "update", "delete", are: hasRemote),
                "cloudCode": features("jobs", are: false),
                "logs": features("level", "size", "order", "until", "from", are: false),
                "push": features(
                    "immediatePush", "scheduledPush", "storedPushData", "pushAudiences", "localization", are: false),
                "schemas": .object(schemas),
                "settings": features("securityCheck", are: false),
            ],
            "parseServerVersion": .string(configuration.dialect.serverVersion),
            "tidegate": .object(tidegate),
        ]
    }
}

extension Principal {
    /// The answer of `GET /principal`: `{"kind":"user","userId":"u7HhT2wQ9c","roles":["editors"]}`.
    package var json: JSONObject {
        [
            "kind": .string(kind), "userId": user.map { .string($0.objectId) } ?? .null,
            "roles": .array((user?.roles ?? []).sorted().map(JSONValue.string)),
        ]
    }
}
