import HTTPServer
import ParseModel

/// What the gateway says of itself.
struct SystemRoutes: Sendable {
    private let configuration: GatewayAPI.Configuration
    private let answers: Answers
    private let serverInfo: JSONObject

    /// The release whose answers this API follows.
    private static let parseServerVersion = "7.1.0"

    init(configuration: GatewayAPI.Configuration, answers: Answers) {
        self.configuration = configuration
        self.answers = answers
        serverInfo = Self.serverInfo(configuration)
    }

    func answer(_ call: Call) throws -> HTTPServerResponse {
        switch call.endpoint {
        case .getHealth: return health
        case .getServerInfo:
            try call.requireMaster()
            return answers.json(serverInfo)
        default:
            guard let file = configuration.openAPIFile else { throw APIError.noRoute }
            return answers.data(file, contentType: "application/yaml")
        }
    }

    var health: HTTPServerResponse { answers.json(["status": "ok"]) }

    /// In place of a page, where there are no files for one.
    func pageless() -> HTTPServerResponse {
        answers.text(
            """
            Tidegate \(configuration.version), \(configuration.mode.rawValue).
            The API answers at /classes, /sync and /changes, and is described in /openapi.yaml.
            This gateway was started without a directory for its web page.

            """)
    }

    /// As Parse Server's, so that tools which look for features find those that are here.
    private static func serverInfo(_ configuration: GatewayAPI.Configuration) -> JSONObject {
        func features(_ names: String..., are value: Bool) -> JSONValue {
            .object(JSONObject(names.map { ($0, .bool(value)) }))
        }
        // Whether the remote can push, and has jobs, is not known here.
        let hasRemote = configuration.mode == .replica
        var schemas = JSONObject(
            ["addField", "removeField", "addClass", "removeClass", "clearAllDataFromClass"].map { ($0, true) })
        // Permissions are kept here, and nobody is held to them.
        for name in ["exportClass", "editClassLevelPermissions", "editPointerPermissions"] {
            schemas[name] = .bool(hasRemote && name != "exportClass")
        }
        var tidegate: JSONObject = [
            "version": .string(configuration.version), "mode": .string(configuration.mode.rawValue),
        ]
        if let remote = configuration.remote {
            tidegate["remote"] = ["url": .string(remote.url), "applicationId": .string(remote.applicationId)]
        }
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
            "parseServerVersion": .string(parseServerVersion),
            "tidegate": .object(tidegate),
        ]
    }
}
