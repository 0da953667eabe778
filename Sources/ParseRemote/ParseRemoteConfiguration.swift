import RemoteHTTP
import RemoteService

/// The URL of a Parse Server, its keys, and the limits of requests.
package struct ParseRemoteConfiguration: Sendable {
    /// The URL, including the mount path if there is one: `https://example.org/parse`.
    package var serverURL: String
    package var applicationId: String
    package var restKey: String?
    /// The master key; nil for none. With the master key, syncs read and write regardless of permissions and ACLs.
    package var masterKey: String?
    /// The id of this replica. Syncs send it as the installation id, so that the operator of the server can distinguish
    /// the replicas.
    package var replicaId: String
    /// The maximum number of operations or queries in one `/batch`. A server may allow fewer.
    package var batchMax: Int
    /// The maximum number of rows in one page. A server may return fewer.
    package var pageSize: Int
    /// The limits on the ids that one read may list.
    var listBounds = ListBounds()
    /// The rules for URLs from which files are downloaded.
    package var fileSources: FileSources
    /// The sessions of the user for whom the syncs run; nil for syncs without a session.
    package var sessions: (any TokenSource)?
    /// The limits that the server has named in its refusals.
    package var limits: RemoteLimits
    /// Waits before a request is sent again that the server has refused because of a rate limit. Nil to report such a
    /// refusal at once.
    package var wait: (@Sendable (Duration) async throws -> Void)?
    /// Receives the schemas of all classes. The first pull of each sync then reads them in the same request, which
    /// needs the master key. Nil to read none.
    package var pulledSchemas: PulledSchemas?
    /// The server's LiveQuery; nil to open no connection to it.
    package var liveQuery: LiveQueryAccess?

    package init(
        serverURL: String, applicationId: String, restKey: String? = nil, masterKey: String? = nil,
        replicaId: String, batchMax: Int = 50, pageSize: Int = 1000, fileSources: FileSources = FileSources(),
        sessions: (any TokenSource)? = nil, pulledSchemas: PulledSchemas? = nil, liveQuery: LiveQueryAccess? = nil,
        limits: RemoteLimits = RemoteLimits(), wait: (@Sendable (Duration) async throws -> Void)? = nil
    ) {
        self.limits = limits
        self.wait = wait
        self.pulledSchemas = pulledSchemas
        self.liveQuery = liveQuery
        self.sessions = sessions
        self.fileSources = fileSources
        self.serverURL = serverURL
        self.applicationId = applicationId
        self.restKey = restKey
        self.masterKey = masterKey
        self.replicaId = replicaId
        self.batchMax = batchMax
        self.pageSize = pageSize
    }

    /// The keys that must never appear in an error or a log. Keys shorter than eight bytes are excluded, because replacing
    /// them would damage ordinary words.
    var secrets: [String] {
        [restKey, masterKey].compactMap { $0 }.filter { $0.utf8.count >= MessageCleaner.secretBytesMin }
    }
}

/// The printed form of a configuration contains no keys.
extension ParseRemoteConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        let keys = [restKey.map { _ in "REST key" }, masterKey.map { _ in "master key" }].compactMap { $0 }
        return "\(serverURL) as \(applicationId) with \(keys.isEmpty ? "no key" : keys.joined(separator: " and "))"
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
