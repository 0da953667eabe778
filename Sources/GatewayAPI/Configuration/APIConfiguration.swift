import ParseModel
import Passwords

/// The settings of the local API.
package struct APIConfiguration: Sendable {
    package enum Mode: String, Sendable { case standalone, replica }

    /// Whether clients on this machine see the specific text of a denial, although `ParseDialect.denialText` replaces
    /// it for all others. The gateway logs the specific text.
    package enum DenialDetails: Sendable { case hidden, shownOnThisMachine }

    /// The remote of a replica as `/serverInfo` and `GET /sync` show it, without keys.
    package struct Remote: Sendable, Hashable {
        package var url: String
        /// The application id on the remote; nil for a kind of remote without application ids.
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
    /// The answers that depend on the version of Parse Server that the gateway follows.
    package var dialect: ParseDialect
    package var denialDetails = DenialDetails.hidden
    /// Regular expressions of the routes that clients may use; nil for all routes.
    package var routeAllowList: [String]?
    /// The extensions of files that clients without the master key may upload.
    package var fileExtensions = FileExtensions.all
    /// The bounds on the complexity of requests without the master key.
    package var complexity = RequestComplexity.unbounded
    /// Tidegate's version, for example `0.1.0`.
    package var version: String
    package var remote: Remote?
    /// The access key, which every request must carry; nil or empty if no key is required. Requests with the master key
    /// and routes with the access `open` are exempt.
    package var accessKey: String?
    package var keys: ClientKeys
    /// Accepted host names besides `localhost`, `127.0.0.1` and `[::1]`: the listening address and configured names. A name with
    /// a port (`name:8080`) accepts only that port; a name without one accepts every port.
    package var allowedHosts: [String]
    /// The origins whose pages may use this gateway, such as `https://app.example.org`. The gateway's own page needs no entry.
    package var allowedOrigins: [String]
    /// The directory with the files of the gateway's web page; nil to serve no page.
    package var webDirectory: String?
    /// The text of `openapi.yaml`; nil if it is not served.
    package var openAPIFile: [UInt8]?
    /// Makes the JSON form of `openapi.yaml`; nil if it is not served.
    package var openAPIJSON: (@Sendable () throws -> [UInt8])?
    /// The time from which `GET /ready` reports the gateway as ready.
    package var readyWhen = ReadyWhen.open
    package var limits: RequestLimits
    /// The time for which the gateway keeps what a client of a live query misses while it is away.
    package var liveResume = Duration.seconds(3600)
    /// The time for which request ids (`X-Parse-Request-Id`) are remembered; nil to ignore request ids.
    package var idempotencyTTL: Duration?
    /// The settings for users and sessions of a standalone gateway.
    package var accounts = AccountSettings()
    /// Whether a standalone gateway refuses the ids that clients choose for new objects.
    package var refusesChosenIds = false
    /// Signs the URLs of files that are not on the remote yet. The spaces of all users share it.
    package var signer = AddressSigner()

    /// The browser sessions of the person who runs the gateway; nil if the gateway offers none. The spaces of all users
    /// share them.
    package var owners: OwnerSessions?

    package init(
        mode: Mode, version: String, remote: Remote? = nil, accessKey: String? = nil, keys: ClientKeys = ClientKeys(),
        allowedHosts: [String] = [],
        allowedOrigins: [String] = [], webDirectory: String? = nil, openAPIFile: [UInt8]? = nil,
        limits: RequestLimits = RequestLimits()
    ) {
        self.mode = mode
        dialect = mode == .standalone ? .nine : .replica
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
