import GatewayAPI
import HTTPServer
import Logging
import RemoteService
import StoreService
import SyncEngine
import SyncModel

/// The configuration of one gateway. `load` reads it; tests and the demo create it directly.
package struct GatewayConfiguration: Sendable, Hashable {
    /// The address and the keys of a replica's remote.
    package struct Remote: Sendable, Hashable {
        /// The kind; nil if the settings do not name it. `RemoteDetection` then finds it.
        package var kind: RemoteKind?
        /// The remote's base URL without user, query and trailing slash: `https://example.org/parse`.
        package var url: String
        /// The application id on the remote; nil for a kind of remote without application ids.
        package var applicationId: String?
        package var restKey: Secret?
        package var masterKey: Secret?
        /// The source of the token that identifies the user to the remote; nil for requests without a token.
        package var token: RemoteToken?
        /// The address at which a Parse Server reports changes.
        package var liveQuery = LiveQueryAddress.ofRemote
        /// The path of a PEM file with the certificate authorities of the remote; nil for those of the system.
        package var caFile: String?

        /// The URL of the LiveQuery connections, with the scheme `http` or `https`; nil if they are switched off.
        package var liveQueryURL: String? {
            switch liveQuery {
            case .ofRemote: url
            case .other(let url): url
            case .off: nil
            }
        }

        package init(
            kind: RemoteKind? = .parse, url: String, applicationId: String? = nil, restKey: Secret? = nil,
            masterKey: Secret? = nil, token: RemoteToken? = nil
        ) {
            self.token = token
            self.kind = kind
            self.url = url
            self.applicationId = applicationId
            self.restKey = restKey
            self.masterKey = masterKey
        }
    }

    /// The address of the connections on which a Parse Server reports changes (LiveQuery).
    package enum LiveQueryAddress: Sendable, Hashable {
        /// The URL of the remote.
        case ofRemote
        /// Another URL, with the scheme `http` or `https`.
        case other(String)
        /// No connection is opened.
        case off
    }

    /// The application id and the keys of this gateway, for Parse clients.
    package struct LocalKeys: Sendable, Hashable {
        /// The only accepted application id; nil accepts any id, and a Parse request without an id.
        package var applicationId: String?
        /// The keys for clients that send neither the access key nor a master key, by kind of client; empty to require none.
        package var clientKeys: [ClientKind: Secret] = [:]
        /// The master key; nil to use the key file in the data directory, which is created if it does not exist.
        package var masterKey: Secret?
        /// The read-only master key; nil for none.
        package var readOnlyMasterKey: Secret?
        /// The maintenance key; nil for none.
        package var maintenanceKey: Secret?
        /// The networks besides loopback whose clients may use the master key, the read-only master key and the
        /// maintenance key.
        package var masterKeyNetworks: [IPNetwork] = []

        package init() {}
    }

    /// The durability of SQLite commits.
    package enum Synchronous: String, Sendable, CaseIterable {
        /// A commit is on disk before it is acknowledged.
        case full
        /// A commit is acknowledged before it is on disk. A power cut can lose the latest commits, but not damage the file.
        case normal
    }

    /// The form of the lines of the log.
    package enum LogFormat: String, Sendable, CaseIterable {
        case text
        /// One JSON object a line.
        case json
    }

    package var listen = ListenAddress.standard
    /// The certificate for TLS; nil for plain HTTP. With TLS, an access key is set.
    package var certificate: CertificateFiles?
    /// The data directory, with the SQLite file, the contents of Parse files, and the key file.
    package var dataDirectory: String
    /// The data directory of the gateway; nil unless this is the configuration of a user's space.
    package var sharedDirectory: String?
    /// The remote; nil for a standalone gateway.
    package var remote: Remote?
    /// The path of a PEM file with the certificate authorities of the remote, also of one that is chosen on the page
    /// later; nil for those of the system.
    package var remoteAuthorities: String?
    /// The classes to register for sync at the start, in this order.
    package var classes: [String] = []
    /// The file download options for the `classes`. A class that already has a pull or file download options does not get them.
    package var filesOfNewClasses = FileDownloads()
    /// The directory of the web page; nil for no page.
    package var webDirectory: String?
    /// The path of the program that makes thumbnails; nil if it was not found.
    package var thumbnailProgram: String?
    /// The path of `openapi.yaml`; nil if it was not found.
    package var openAPIFile: String?
    /// The time from which `GET /ready` reports the gateway as ready.
    package var readyWhen = ReadyWhen.open
    /// The interval between pulls.
    package var pullInterval: Duration = .seconds(60)
    /// The time after which work that waits while the remote answers is reported as stalled; nil for no reports.
    package var stallAlarm: Duration? = .seconds(900)
    package var logLevel: Logger.Level = .info
    package var logFormat = LogFormat.text
    /// When and where the running gateway writes backups; nil for none.
    package var backups: BackupSettings?
    /// The access key of this gateway; nil to require none. Without an access key, `listen` must be a loopback address, and TLS is off.
    package var accessKey: Secret?
    package var localKeys = LocalKeys()
    /// Additional allowed `Host` headers. A value without a port allows every port; a value with a port allows only this port.
    package var allowedHosts: [String] = []
    /// Additional web origins whose scripts may call the gateway: `https://app.example`.
    package var allowedOrigins: [String] = []
    /// The durability of commits. It is not configurable, because an acknowledged write must not be lost. Tests and the
    /// simulation choose `normal`, because their machine does not fail.
    package var synchronous: Synchronous = .full
    /// The largest file upload in bytes.
    package var fileBytesMax = 20 * 1024 * 1024
    /// The size limit of the cache for files of the remote, in bytes. Least recently used files are evicted.
    package var fileCacheBytes = 1024 * 1024 * 1024
    /// The maximum number of objects in a list response. A larger `limit` is clamped. The default is no maximum.
    package var pageMax = Int.max
    /// The time for which a second create or update with the same `X-Parse-Request-Id` is refused; zero to refuse none.
    package var idempotencyTTL: Duration = .zero
    /// The time for which a client of a live query that was away gets the events that it has missed.
    package var liveResume = Duration.seconds(3600)
    /// The minimum and the maximum number of objects of a class that one sync of a user's data compares with the
    /// remote. They are not configurable. The simulation lowers them, so that even few objects need several syncs.
    package var scrubBounds = SyncOptions().scrubBounds
    /// The maximum number of complete objects of a class that one sync reads again, to find out whether rights to read
    /// fields were lost; see `SyncOptions`.
    package var fieldCanariesMax = SyncOptions().fieldCanariesMax
    /// The free disk space in bytes below which pulls stop; 0 for no limit.
    package var diskFreeMin = 256 * 1024 * 1024
    /// Hosts from which files are downloaded even if their IP addresses are private: `files.lan`, `10.0.0.5:9000`.
    package var fileHosts: [String] = []
    /// The configuration file, for a warning, if the file contains secret keys and other users can read it; else nil.
    package var exposedFile: ExposedFile?
    /// True if clients can choose the `objectId` of new objects (Parse Server's `allowCustomObjectId`). The remote of a
    /// replica needs the same setting.
    package var allowsChosenIds = false
    /// True to use the data directory even if it is a copy. The original directory must be gone.
    package var takesOver = false
    /// The version of Parse Server whose answers a standalone gateway gives.
    package var compatibility = Compatibility.nine
    /// The configured bounds of requests without the master key; nil for no bound. The version of Parse Server
    /// determines the bounds that are not configured.
    package var requestComplexity: [RequestComplexity.Bound: Int?] = [:]
    /// Regular expressions of the extensions of files that clients without the master key may upload; empty for the default of the
    /// version of Parse Server.
    package var fileExtensions: [String] = []
    /// Regular expressions of the routes that clients without the master key may use; empty for all routes.
    package var routeAllowList: [String] = []
    /// Whether an installation is deleted, or loses its device token, when another installation gets the same device
    /// token.
    package var duplicateDeviceToken = DuplicateDeviceToken.delete
    /// Whether clients on this machine see why a request is denied, where Parse Server 9 hides it.
    package var showsErrorDetails = false
    /// The settings for users and sessions of a standalone gateway.
    package var accounts = AccountSettings()
    /// How a replica serves the users of its remote.
    package var people = PeopleSettings()
    /// All settings with their values and sources, in the order of the help; empty if `load` has not made this configuration.
    package var settings: [SettingInUse] = []
    /// The browser sessions of the person who runs the gateway. Nil until `Gateway` offers them.
    var owners: OwnerSessions?
    /// Unknown environment variables with the prefix `TIDEGATE_`, for a warning.
    package var unknownVariables: [String] = []
    /// Warnings about given settings that no longer exist. Each warning states the value that applies now.
    package var removedSettings: [String] = []

    package init(dataDirectory: String) { self.dataDirectory = dataDirectory }
}

/// The source of the token that identifies the user to the remote.
package enum RemoteToken: Sendable, Hashable {
    case fixed(Secret)
    /// The path of a file with the token.
    case file(String)
    /// A shell command that prints the token.
    case command(String)
}
