extension ParseRemote {
    /// Where a Parse Server is, and who we are to it.
    package struct Configuration: Sendable {
        /// The address with its mount path, if it has one: `https://example.org/parse`.
        package var serverURL: String
        package var applicationId: String
        package var restKey: String?
        /// Where it is set, every request carries it: permissions and ACLs then do not apply.
        package var masterKey: String?
        /// Sent as the installation id, so that the server's operator can tell the replicas apart.
        package var replicaId: String
        /// The most operations or queries in one `/batch`; a server may be set to take fewer.
        package var batchMax: Int
        /// The most rows asked for in one page; a server may be set to give fewer.
        package var pageSize: Int
        /// The bounds on the lists of ids that one question brings, together.
        var listBounds = ListBounds()
        /// From where files are fetched.
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

        /// What must never stand in an error or a log. A key of a few letters is left out: it hides nothing, and
        /// taking it out of a sentence would cut words to pieces.
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
