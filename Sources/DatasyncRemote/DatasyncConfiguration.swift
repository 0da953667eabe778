import RemoteHTTP
import RemoteService
import SyncModel

extension DatasyncRemote {
    /// The URL of a tables server, the source of the user's token, and the mapping from classes to tables.
    package struct Configuration: Sendable {
        /// The URL below which the tables are: `https://example.org`. A table has the path `/tables/{className}` by default.
        package var serverURL: String
        /// The source of the user's token; nil for requests without a token.
        package var token: (any TokenSource)?
        /// The dialect of the tables protocol that the server speaks; nil to detect it from the first list of a table.
        package var dialect: TableDialect?
        /// The name of the dialect that an earlier process detected; nil for none. It is used until an answer shows the
        /// dialect.
        package var recordedDialect: String?
        /// Returns the mapping of a class to its table.
        package var mapping: @Sendable (_ className: String) async throws(RemoteError) -> ClassMapping
        /// Records the dialect that the server's answers show. Returns the dialect recorded first.
        package var recordDialect: @Sendable (_ dialect: String) async throws(RemoteError) -> String
        /// The rules for URLs from which files are downloaded.
        package var fileSources: FileSources
        /// The limits on the ids that one read may list.
        var listBounds = ListBounds()

        package init(
            serverURL: String, token: (any TokenSource)? = nil, dialect: TableDialect? = nil,
            fileSources: FileSources = FileSources(), recordedDialect: String? = nil,
            mapping: @escaping @Sendable (String) async throws(RemoteError) -> ClassMapping = { _ in ClassMapping() },
            recordDialect: @escaping @Sendable (String) async throws(RemoteError) -> String = { $0 }
        ) {
            self.serverURL = serverURL
            self.token = token
            self.dialect = dialect
            self.fileSources = fileSources
            self.recordedDialect = recordedDialect
            self.recordDialect = recordDialect
            self.mapping = mapping
        }
    }
}
