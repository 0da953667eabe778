import Logging
import RemoteService
import SyncModel

/// The configuration of one gateway. `load` reads it; tests and the demo create it directly.
package struct GatewayConfiguration: Sendable, Hashable {
    /// The server that a replica follows.
    package struct Remote: Sendable, Hashable {
        package var kind: RemoteKind
        /// The base URL without user, query and trailing slash: `https://example.org/parse`.
        package var url: String
        /// The application id on the remote; nil for a kind of remote without application ids.
        package var applicationId: String?
        package var restKey: Secret?
        package var masterKey: Secret?

        package init(
            kind: RemoteKind = .parse, url: String, applicationId: String? = nil, restKey: Secret? = nil,
            masterKey: Secret? = nil
        ) {
            self.kind = kind
            self.url = url
            self.applicationId = applicationId
            self.restKey = restKey
            self.masterKey = masterKey
        }
    }

    /// The application id and the keys of this gateway, for Parse clients.
    package struct LocalKeys: Sendable, Hashable {
        /// The required application id; nil accepts any id and a request without one.
        package var applicationId: String?
        /// The required client key; nil accepts any key and a request without one.
        package var restKey: Secret?
        /// The master key; nil uses the key file in the data directory, created at the first start.
        package var masterKey: Secret?

        package init() {}
    }

    /// The durability of SQLite commits.
    package enum Synchronous: String, Sendable, CaseIterable {
        /// A commit is on disk before it is acknowledged.
        case full
        /// A power cut can lose the latest commits. The database stays consistent.
        case normal
    }

    package var listen = ListenAddress.standard
    /// The directory of the SQLite file, the contents of Parse files, and the key file.
    package var dataDirectory: String
    /// The remote; nil for a standalone gateway.
    package var remote: Remote?
    /// The classes to sync from the start, in order.
    package var classes: [String] = []
    /// The file download policy of newly registered classes.
    package var filesOfNewClasses = FileDownloads()
    /// The `opField` (field for operation ids) for each of the `classes` that has no `opField` yet; nil to set none.
    package var opFieldOfClasses: String?
    /// The directory of the web page; nil for no page.
    package var webDirectory: String?
    /// The path of `openapi.yaml`; nil if it was not found.
    package var openAPIFile: String?
    /// The interval between pulls.
    package var pullInterval: Duration = .seconds(60)
    /// How far each pull looks back before the start of the previous pull, by the remote's clock.
    package var pullOverlap: Duration = .seconds(10)
    /// The interval between full audits.
    package var auditInterval: Duration = .seconds(86_400)
    /// The interval between audits of recently updated objects.
    package var recentAuditInterval: Duration = .seconds(300)
    /// An audit of recently updated objects covers the objects that were updated within this time.
    package var recentAuditWindow: Duration = .seconds(3600)
    package var logLevel: Logger.Level = .info
    /// The key that every client must send. Required if other machines can reach the listening address.
    package var accessKey: Secret?
    package var localKeys = LocalKeys()
    /// Additional accepted `Host` values. A value with a port matches only that port. A value without a port matches every port.
    package var allowedHosts: [String] = []
    /// Additional web origins whose scripts may call the gateway: `https://app.example`.
    package var allowedOrigins: [String] = []
    package var synchronous: Synchronous = .full
    /// The largest request body in bytes.
    package var bodyBytesMax = 20 * 1024 * 1024
    /// The largest file upload in bytes.
    package var fileBytesMax = 20 * 1024 * 1024
    /// The largest file download from the remote in bytes.
    package var fileDownloadBytesMax = 256 * 1024 * 1024
    /// The size limit of the cache for files of the remote, in bytes. Least recently used files are evicted.
    package var fileCacheBytes = 1024 * 1024 * 1024
    /// The maximum number of objects in a list response. A larger `limit` is clamped. The default is no maximum.
    package var pageMax = Int.max
    /// The maximum number of operations in a `/batch`.
    package var batchMax = 1000
    /// The maximum number of open change streams.
    package var streamsMax = 256
    /// The maximum number of fields that local writes can give a class.
    package var classFieldsMax = 1000
    /// The time for which the `X-Parse-Request-Id` of a local request is remembered; zero for not at all.
    package var idempotencyTTL: Duration = .zero
    /// The largest share of a class's objects, 0 to 1, that a sync removes without confirmation.
    package var removalShareMax = 0.5
    /// The maximum number of remote objects of a class that are stored locally. Above it, the pulls of the class stop.
    package var classObjectsMax = 10_000_000
    /// The free disk space in bytes below which pulls stop; 0 for no limit.
    package var diskFreeMin = 256 * 1024 * 1024
    /// Additional hosts from which files are downloaded, also with private addresses: `files.lan`, `10.0.0.5:9000`.
    package var fileHosts: [String] = []
    /// The maximum time that a forwarded call waits for earlier queued writes.
    package var forwardWait: Duration = .seconds(10)
    /// The path of the configuration file, if it contains secret keys and other users can read it; nil otherwise.
    package var exposedFile: String?
    /// True if clients can choose the `objectId` of new objects (Parse Server's `allowCustomObjectId`). The remote of a
    /// replica needs the same setting.
    package var allowsChosenIds = false
    /// True to accept a copied or moved data directory.
    package var takesOver = false
    /// Unknown environment variables with the prefix `TIDEGATE_`, for a warning.
    package var unknownVariables: [String] = []

    /// Warnings about settings without effect, one line each.
    package var notes: [String] {
        guard remote == nil, !classes.isEmpty else { return [] }
        let names = classes.joined(separator: ", ")
        return [
            "\(ConfigurationKey.className.option) \(names) is given without a remote: nothing is synced. "
                + "Add \(ConfigurationKey.remote.option) URL to follow a server."
        ]
    }

    package init(dataDirectory: String) { self.dataDirectory = dataDirectory }
}
