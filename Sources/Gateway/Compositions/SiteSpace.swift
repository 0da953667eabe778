import GatewayAPI
import RemoteService
import StoreService

/// Puts together a site replica: all users share the gateway's store, and each user's changes are sent under the user's sessions.
enum SiteSpace {
    static func open(_ parts: SpaceParts) async throws -> Space {
        let opened = try await parts.openReplica { $0.rights = .site }
        let store = opened.store
        try await parts.registerClasses(in: store)
        try parts.checkSessionKey(in: store)
        let remote = try await parts.remote(of: opened, readsSchemas: true)
        let book = try parts.sessionBook(store, remote)
        let writers = AuthorWriters(book, reading: remote) { [replicaId = store.replicaId] sessions in
            var settings = try parts.remoteSettings()
            settings.masterKey = nil
            return try parts.remotes.remote(
                RemoteSetup(
                    settings: settings, sessions: sessions, replicaId: replicaId,
                    fileHosts: parts.configuration.fileHosts, isOwnAddress: parts.isOwnAddress,
                    limits: parts.limits, wait: parts.environment.sleep))
        }
        let syncing = try await parts.syncing(opened, remote, authors: writers, unknownClasses: .closed)
        let users = SiteUsers(book, store: store, writers: writers, remote: remote, engine: syncing.engine)
        let ways = try parts.ways(syncing, store, .ofGateway {})
        let api = Site.api(
            try parts.api(opened, metrics: [OutboxMetrics(store: store), users] + syncing.metricsSources), ways, users)
        return parts.space(opened, api: api, syncing: syncing, people: users, fileGrace: Space.fileGraceOfReplica)
    }
}
