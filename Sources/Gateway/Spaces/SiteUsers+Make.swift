import RemoteService
import StoreService

extension SiteUsers {
    /// - Parameter remote: the remote with the master key.
    static func make(
        _ book: SessionBook, _ parts: PeopleParts, store: any GatewayStore, remote: any RemoteService
    ) throws -> SiteUsers {
        guard var settings = parts.configuration.remote else {
            throw GatewayError("\(ConfigurationKey.people.option) site is for a replica")
        }
        settings.masterKey = nil
        let writers = AuthorWriters(book, reading: remote) { [parts, settings, replicaId = store.replicaId] sessions in
            try parts.remotes.remote(
                RemoteSetup(
                    settings: settings, sessions: sessions, replicaId: replicaId,
                    fileHosts: parts.configuration.fileHosts, isOwnAddress: parts.isOwnAddress))
        }
        return SiteUsers(book, store: store, writers: writers, remote: remote)
    }
}
