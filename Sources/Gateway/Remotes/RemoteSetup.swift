import HTTPClient
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel

/// The values with which a remote is created: URL, keys, transport, and functions of the store that the remote needs.
package struct RemoteSetup: Sendable {
    /// The kind, the address and the keys of the remote.
    package var settings: GatewayConfiguration.Remote
    /// The source of the user's token; nil for requests without a token.
    package var token: (any TokenSource)?
    /// The sessions of the user for whom the remote is asked; nil for requests without a session.
    package var sessions: (any TokenSource)?
    /// Whether each sync reads the schemas of the remote along with its pulls, if the remote has schemas.
    package var readsSchemas = false
    /// The unique id of this replica. Requests to the remote contain it, so that the server's operator can tell replicas apart.
    package var replicaId: String
    /// Hosts from which files are downloaded even if their IP addresses are private: `files.lan`, `10.0.0.5:9000`.
    package var fileHosts: [String]
    /// Whether an address is this gateway's own listening address. No file is downloaded from such an address.
    package var isOwnAddress: @Sendable (SocketAddress) -> Bool
    /// Reads the present mapping of a class from the store. A remote whose rows carry types needs no mapping.
    package var mapping: Mapping
    /// The dialect of a Datasync remote (Azure or Community) that the store has recorded; nil if none is recorded.
    package var dialect: String?
    /// Records the dialect of a Datasync remote (Azure or Community), once for the life of the store. Returns the
    /// recorded dialect.
    package var recordDialect: RecordDialect

    /// The limits that the remote has named. All connections to the remote share them.
    package var limits: RemoteLimits
    /// Waits before a request is sent again that the remote has refused for a rate limit; nil to end the sync instead.
    package var wait: (@Sendable (Duration) async throws -> Void)?
    /// The source of time and randomness for connections on which the remote reports changes; nil for a remote that is not listened
    /// to.
    package var listening: Environment?

    /// - Throws: `RemoteError.unreachable` if the mapping cannot be read. Nothing may then be sent.
    package typealias Mapping = @Sendable (_ className: String) async throws(RemoteError) -> ClassMapping

    /// - Throws: `RemoteError.unreachable` if the store cannot record the dialect. Nothing may then be sent.
    package typealias RecordDialect = @Sendable (_ dialect: String) async throws(RemoteError) -> String

    package init(
        settings: GatewayConfiguration.Remote, token: (any TokenSource)? = nil, sessions: (any TokenSource)? = nil,
        replicaId: String,
        fileHosts: [String] = [],
        isOwnAddress: @escaping @Sendable (SocketAddress) -> Bool = { _ in false },
        mapping: @escaping Mapping = { _ in ClassMapping() }, dialect: String? = nil,
        recordDialect: @escaping RecordDialect = { $0 }, limits: RemoteLimits = RemoteLimits(),
        wait: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        self.limits = limits
        self.wait = wait
        self.dialect = dialect
        self.recordDialect = recordDialect
        self.mapping = mapping
        self.settings = settings
        self.token = token
        self.sessions = sessions
        self.replicaId = replicaId
        self.fileHosts = fileHosts
        self.isOwnAddress = isOwnAddress
    }
}
