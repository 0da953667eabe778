import Logging
import RemoteService
import SyncModel

/// Everything that can be set about one gateway. `load` reads it; tests and the demo make it directly.
package struct GatewayConfiguration: Sendable, Hashable {
    /// The server that a replica follows.
    package struct Remote: Sendable, Hashable {
        package var kind: RemoteKind
        /// `https://example.org/parse`: http or https, without user, query and trailing slash.
        package var url: String
        /// Nil for a kind of remote without application ids.
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

    /// What Parse clients of this gateway must send.
    package struct LocalKeys: Sendable, Hashable {
        /// Nil accepts any application id, and none.
        package var applicationId: String?
        /// Nil accepts any client key, and none.
        package var restKey: Secret?
        /// Nil takes the one in the data directory, which is made at the first start.
        package var masterKey: Secret?

        package init() {}
    }

    /// How SQLite waits for the disk.
    package enum Synchronous: String, Sendable, CaseIterable {
        /// Each commit is on disk before it is acknowledged.
        case full
        /// A power cut may lose the last moments; the file stays whole.
        case normal
    }

    package var listen = ListenAddress.standard
    /// Holds the SQLite file and its lock.
    package var dataDirectory: String
    /// Nil makes the gateway standalone.
    package var remote: Remote?
    /// Classes that are synced from the start, in the order in which they were named.
    package var classes: [String] = []
    /// Which files of these come here, where the class was not kept before.
    package var filesOfNewClasses = FileDownloads()
    /// The field for ids of operations that those of the classes get which have none.
    package var opFieldOfClasses: String?
    /// The directory of the page; nil where none was found or none is wanted.
    package var webDirectory: String?
    /// `openapi.yaml`; nil where it was not found.
    package var openAPIFile: String?
    /// How often to look for changes of the remote when nothing else asks for a sync.
    package var pullInterval: Duration = .seconds(60)
    /// How far before the last pull the next one begins, in the remote's time.
    package var pullOverlap: Duration = .seconds(10)
    /// How often all that is kept is compared with the remote.
    package var auditInterval: Duration = .seconds(86_400)
    /// How often the newest rows are compared with the remote.
    package var recentAuditInterval: Duration = .seconds(300)
    /// How far back those rows were updated.
    package var recentAuditWindow: Duration = .seconds(3600)
    package var logLevel: Logger.Level = .info
    /// Local clients must send it; needed for an address that is not loopback.
    package var accessKey: Secret?
    package var localKeys = LocalKeys()
    /// Further values of the `Host` header that are answered: with a port only on that port, without one on any.
    package var allowedHosts: [String] = []
    /// Web origins beside the gateway's own whose scripts may call it: `https://app.example`.
    package var allowedOrigins: [String] = []
    package var synchronous: Synchronous = .full
    /// The largest request body.
    package var bodyBytesMax = 20 * 1024 * 1024
    /// The largest file that local clients may upload.
    package var fileBytesMax = 20 * 1024 * 1024
    /// The largest file that is fetched from the remote.
    package var fileDownloadBytesMax = 256 * 1024 * 1024
    /// How much room contents may take that the remote has too; those go first that nobody has read for longest.
    package var fileCacheBytes = 1024 * 1024 * 1024
    /// The most objects that one list returns; a larger `limit` is clamped to it. As many as are asked for, unless set.
    package var pageMax = Int.max
    /// The most operations of one `/batch`.
    package var batchMax = 1000
    /// The most streams of changes that are open at one time.
    package var streamsMax = 256
    /// How many fields local writes may bring a class to.
    package var classFieldsMax = 1000
    /// How long the `X-Parse-Request-Id` of local requests is remembered; zero for not at all.
    package var idempotencyTTL: Duration = .zero
    /// A removal of more than this share of a class is held back until somebody confirms it: 0 to 1.
    package var removalShareMax = 0.5
    /// A class of so many objects is not pulled any further.
    package var classObjectsMax = 10_000_000
    /// With fewer bytes free on the disk of the data directory nothing is pulled any further; 0 for no such limit.
    package var diskFreeMin = 256 * 1024 * 1024
    /// Hosts beside the remote's own whose files are fetched wherever they are: `files.lan`, `10.0.0.5:9000`.
    package var fileHosts: [String] = []
    /// How long a call that goes to the remote waits for writes that were made here before it.
    package var forwardWait: Duration = .seconds(10)
    /// The YAML file of settings holds keys, and other users of this machine may read it.
    package var exposedFile: String?
    /// Whether clients may give a new object an `objectId` of their own, as Parse Server's `allowCustomObjectId` lets them.
    /// In a replica the remote has to be set so too.
    package var allowsChosenIds = false
    /// The data directory is a copy or was moved, and this gateway shall go on with it.
    package var takesOver = false
    /// Variables that begin with `TIDEGATE_` and mean nothing; worth a warning.
    package var unknownVariables: [String] = []

    /// Settings without effect, a sentence each: worth a warning.
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
