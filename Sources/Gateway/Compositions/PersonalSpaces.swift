import GatewayAPI
import ParseModel
import StoreService

/// Puts together a personal replica: the gateway's own store and engine, and with `space` the store and the engine of one user.
enum PersonalSpaces {
    static func open(_ parts: SpaceParts) async throws -> Space {
        let opened = try await parts.openReplica {
            if try !$0.seesEverything && parts.wasSite { $0.rights = .formerSite }
        }
        let store = opened.store
        try await parts.registerClasses(in: store)
        try parts.checkSessionKey(in: store)
        let remote = try await parts.remote(of: opened)
        let syncing = try await parts.syncing(opened, remote)
        let settings = try parts.remoteSettings()
        let files = syncing.files.map { SharedFiles(store: store, fetcher: $0) }
        let registry = SpaceRegistry(
            try parts.sessionBook(store, remote),
            names: SpaceNames(
                dataDirectory: parts.configuration.dataDirectory,
                remote: parts.configuration.identity(of: settings)),
            readsFigures: parts.stores.figures, store: store
        ) { directory, user, sessions, registry in
            try await space(
                try parts.ofUser(in: directory),
                of: UserOfGateway(user: user, sessions: sessions, registry: registry, gateway: store, files: files))
        }
        let ways = try parts.ways(syncing, store, .ofGateway { await registry.followGateway() })
        let api = PersonalReplica.api(
            try parts.api(opened, metrics: [OutboxMetrics(store: store), registry] + syncing.metricsSources), ways,
            registry)
        return parts.space(
            opened, api: api, syncing: syncing, people: registry, fileGrace: Space.fileGraceOfReplica)
    }

    /// The space of a user of a personal replica.
    private static func space(_ parts: SpaceParts, of member: UserOfGateway) async throws -> Space {
        let user = member.user
        var settings = parts.configuration.store(subject: user.objectId)
        settings.reader = user.objectId
        let opened = try parts.open(settings)
        let store = opened.store
        try await parts.registerClasses(in: store)
        for problem in try await store.classFollower.follow(try await member.classes()) {
            parts.logger.warning("a class of the user \(user.objectId): \(problem)")
        }
        let remote = try await parts.remote(of: opened, sessions: member.sessions)
        let syncing = try await parts.syncing(opened, remote, of: member)
        let ways = try parts.ways(syncing, store, .ofUser)
        let api = UserSpace.api(
            try parts.api(opened, metrics: [OutboxMetrics(store: store)] + syncing.metricsSources), ways, user,
            of: member.registry, storeId: store.replicaId)
        return parts.space(
            opened, api: api, syncing: syncing, sessions: member.sessions, fileGrace: Space.fileGraceOfReplica)
    }
}

extension SpaceParts {
    /// The parts of a user's space. Its classes come from the gateway's own store.
    fileprivate func ofUser(in directory: String) throws -> SpaceParts {
        var parts = self
        parts.configuration.localKeys.masterKey =
            try configuration.localKeys.masterKey
            ?? KeyFile.masterKey(in: configuration.dataDirectory).key(orNew: environment.secret)
        parts.configuration.sharedDirectory = configuration.dataDirectory
        parts.configuration.dataDirectory = directory
        parts.configuration.classes = []
        return parts
    }
}
