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
        case .getHealth: return answers.json(["status": "ok"])
        case .getServerInfo: return answers.json(serverInfo)
        default:
            guard let file = configuration.openAPIFile else { throw APIError.noRoute }
            return answers.data(file, contentType: "application/yaml")
        }
    }

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
        let none: (String...) -> JSONValue = { names in .object(JSONObject(names.map { ($0, false) })) }
        var tidegate: JSONObject = [
            "version": .string(configuration.version), "mode": .string(configuration.mode.rawValue),
        ]
        if let remote = configuration.remote {
            tidegate["remote"] = ["url": .string(remote.url), "applicationId": .string(remote.applicationId)]
        }
        return [
            "features": [
                "globalConfig": none("create", "read", "update", "delete"),
                "hooks": none("create", "read", "update", "delete"),
                "cloudCode": none("jobs"),
                "logs": none("level", "size", "order", "until", "from"),
                "push": none("immediatePush", "scheduledPush", "storedPushData", "pushAudiences", "localization"),
                "schemas": none(
                    "addField", "removeField", "addClass", "removeClass", "clearAllDataFromClass", "exportClass",
                    "editClassLevelPermissions", "editPointerPermissions"),
                "settings": none("securityCheck"),
            ],
            "parseServerVersion": .string(parseServerVersion),
            "tidegate": .object(tidegate),
        ]
    }
}
