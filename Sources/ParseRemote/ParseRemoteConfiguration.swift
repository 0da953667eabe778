extension ParseRemote {
    /// The address of a Parse Server, and the keys for it.
    package struct Configuration: Sendable {
        /// The address with its mount path, if it has one: `https://example.org/parse`.
        package var serverURL: String
        package var applicationId: String
        package var restKey: String?
        /// If it is set, every request has it, and permissions and ACLs do not apply.
        package var masterKey: String?
        /// Sent as the installation id, by which the operator of the server distinguishes the replicas.
        package var replicaId: String
        /// The most operations or queries in one `/batch`. A server may allow fewer.
        package var batchMax: Int
        /// The most rows requested in one page. A server may give fewer.
        package var pageSize: Int
        /// The bounds on all lists of ids of one question together.
        var listBounds = ListBounds()
        /// The addresses from which files are fetched.
        package var fileSources: FileSources

        package init(
            serverURL: String, applicationId: String, restKey: String? = nil, masterKey: String? = nil,
            replicaId: String, batchMax: Int = 50, pageSize: Int = 1000, fileSources: FileSources = FileSources()
        ) {
            self.fileSources = fileSources
            self.serverURL = serverURL
            self.applicationId = applicationId
            self.restKey = restKey
            self.masterKey = masterKey
            self.replicaId = replicaId
            self.batchMax = batchMax
            self.pageSize = pageSize
        }

        /// The keys that no error and no log may contain. A key of a few letters is not among them: its removal would damage ordinary words.
        var secrets: [String] {
            [restKey, masterKey].compactMap { $0 }.filter { $0.utf8.count >= 8 }
        }
    }
}

/// A configuration prints itself without its keys.
extension ParseRemote.Configuration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        let keys = [restKey.map { _ in "REST key" }, masterKey.map { _ in "master key" }].compactMap { $0 }
        return "\(serverURL) as \(applicationId) with \(keys.isEmpty ? "no key" : keys.joined(separator: " and "))"
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
