import GatewayAPI
import StoreService

/// Puts together a replica without users: one store, its sync engine, and its API.
enum ReplicaSpace {
    static func open(_ parts: SpaceParts) async throws -> Space {
        let opened = try await parts.openReplica {
            // With the remote's master key, all clients see everything.
            if try !$0.seesEverything && parts.wasSite { $0.rights = .formerSite }
        }
        let store = opened.store
        try await parts.registerClasses(in: store)
        try parts.checkSessionKey(in: store)
        let remote = try await parts.remote(of: opened)
        let syncing = try await parts.syncing(opened, remote)
        let ways = try parts.ways(syncing, store, .ofGateway {})
        let api = Replica.api(
            try parts.api(opened, metrics: [OutboxMetrics(store: store)] + syncing.metricsSources), ways)
        return parts.space(opened, api: api, syncing: syncing, fileGrace: Space.fileGraceOfReplica)
    }
}
