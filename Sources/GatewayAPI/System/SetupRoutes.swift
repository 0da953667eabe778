import HTTPServer
import ParseModel

/// A remote that a person has entered on the page of a new gateway.
package struct NewConnection: Sendable, Hashable {
    package let url: String
    /// The kind of the remote: `parse` or `datasync`; nil to find it out.
    package let kind: String?
    package let applicationId: String?
    package let restKey: String?
    package let masterKey: String?
    /// The user's token for a remote with tables.
    package let token: String?
    /// The classes to sync.
    package let classes: [String]
}

/// The first steps of a gateway without a remote and without data: a connection to a remote, or the sample data.
package protocol GatewaySetup: Sendable {
    /// Whether the gateway is standalone, and its file has never had an object, a file or a schema.
    func isNew() async throws -> Bool
    /// Checks a remote as `tidegate doctor` does, and lists its classes. It changes nothing.
    /// - Returns: `{"healthy":true,"kind":"parse","findings":[…],"classes":["Holiday"]}`; `classes` is null if the remote lists none.
    /// - Throws: `ParseError` for wrong values.
    func check(_ connection: NewConnection) async throws -> JSONObject
    /// Saves a connection and restarts the gateway with it.
    /// - Returns: a token for the browser session of the person who runs the gateway; nil if the gateway then needs none.
    /// - Throws: `ParseError` for wrong values, and if the gateway is not new.
    func connect(_ connection: NewConnection) async throws -> String?
    /// Adds the sample data.
    /// - Throws: `ParseError` if the gateway is not new.
    func loadSamples() async throws
}

/// The routes with which the page sets up a new gateway.
struct SetupRoutes: Sendable {
    /// Nil in a replica, and in an API that no program serves.
    let setup: (any GatewaySetup)?
    let responses: ResponseBuilder

    var routes: [Route] {
        [
            Route(.get, "/setup", "getSetup", .ofInspector) { request in
                .later {
                    let isNew = isOnThisMachine(request) ? try await setup?.isNew() ?? false : false
                    return responses.json(["isNew": .bool(isNew)])
                }
            },
            route("/setup/check", "checkRemote") { setup, body in
                try await setup.check(try NewConnection(body))
            },
            route("/setup/connect", "connectToRemote") { setup, body in
                let token = try await setup.connect(try NewConnection(body))
                return ["ownerToken": token.map(JSONValue.string) ?? .null]
            },
            route("/setup/samples", "loadSamples") { setup, _ in
                try await setup.loadSamples()
                return [:]
            },
        ]
    }

    private func route(
        _ pattern: String, _ name: String,
        _ answer: @escaping @Sendable (any GatewaySetup, JSONObject) async throws -> JSONObject
    ) -> Route {
        Route(.post, pattern, name, .ofInspector) { request in
            guard let setup else {
                throw ParseError(.operationForbidden, "Only a standalone gateway can be set up by this call.")
            }
            guard isOnThisMachine(request) else {
                throw ParseError(.operationForbidden, "A gateway is set up from its own machine.")
            }
            let body = try request.parse.body.fields
            return .later { responses.json(try await answer(setup, body)) }
        }
    }

    private func isOnThisMachine(_ request: RoutedRequest) -> Bool { request.http.peer.isLoopback }
}

extension NewConnection {
    /// Reads `{"remote":"https://…","kind":"parse","appId":"…","restKey":"…","masterKey":"…","token":"…","classes":["Holiday"]}`.
    /// An empty text counts as absent.
    fileprivate init(_ body: JSONObject) throws {
        func text(_ name: String) throws -> String? {
            switch body[name] {
            case nil, .null: return nil
            case .string(let text): return text.isEmpty ? nil : text
            default: throw ParseError(.invalidJSON, "'\(name)' must be a text.")
            }
        }
        guard let url = try text("remote") else {
            throw ParseError(.invalidJSON, "'remote' must be the URL of a remote.")
        }
        self.url = url
        kind = try text("kind")
        applicationId = try text("appId")
        restKey = try text("restKey")
        masterKey = try text("masterKey")
        token = try text("token")
        switch body["classes"] {
        case nil, .null: classes = []
        case .array(let names):
            classes = try names.map {
                guard let name = $0.string else { throw ParseError(.invalidJSON, "'classes' must be a list of names.") }
                return name
            }
        default: throw ParseError(.invalidJSON, "'classes' must be a list of names.")
        }
    }
}
