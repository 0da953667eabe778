import ParseModel

/// The settings of the local API.
package struct APIConfiguration: Sendable {
    package enum Mode: String, Sendable { case standalone, replica }

    /// The remote of a replica as `/serverInfo` names it, without keys.
    package struct Remote: Sendable, Hashable {
        package var url: String
        /// Nil for a kind of remote without application ids.
        package var applicationId: String?

        package init(url: String, applicationId: String?) {
            self.url = url
            self.applicationId = applicationId
        }

        var json: JSONObject {
            ["url": .string(url), "applicationId": applicationId.map(JSONValue.string) ?? .null]
        }
    }

    package var mode: Mode
    /// Tidegate's version, for instance `0.1.0`.
    package var version: String
    package var remote: Remote?
    /// The key that every request but `/health` and the page's files must carry; nil or empty: none.
    package var accessKey: String?
    package var keys: ClientKeys
    /// Host names that requests may name besides `localhost`, `127.0.0.1` and `[::1]`: the address listened on,
    /// and others by configuration. With a port (`name:8080`) only that port; without, any.
    package var allowedHosts: [String]
    /// Origins such as `https://app.example.org` whose pages may use this gateway besides its own page.
    package var allowedOrigins: [String]
    /// The directory of the page's files; nil: no page.
    package var webDirectory: String?
    /// The text of `openapi.yaml`; nil: not served.
    package var openAPIFile: [UInt8]?
    package var limits: RequestLimits
    /// How long the ids of requests are remembered; nil: they are ignored.
    package var idempotencyTTL: Duration?

    package init(
        mode: Mode, version: String, remote: Remote? = nil, accessKey: String? = nil, keys: ClientKeys = ClientKeys(),
        allowedHosts: [String] = [],
        allowedOrigins: [String] = [], webDirectory: String? = nil, openAPIFile: [UInt8]? = nil,
        limits: RequestLimits = RequestLimits()
    ) {
        self.mode = mode
        self.version = version
        self.remote = remote
        self.accessKey = accessKey
        self.keys = keys
        self.allowedHosts = allowedHosts
        self.allowedOrigins = allowedOrigins
        self.webDirectory = webDirectory
        self.openAPIFile = openAPIFile
        self.limits = limits
    }
}
