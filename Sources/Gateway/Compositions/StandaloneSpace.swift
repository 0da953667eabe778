import GatewayAPI
import StoreService

/// Puts together a gateway without a remote: a store, and the API that answers like a Parse Server.
enum StandaloneSpace {
    static func open(_ parts: SpaceParts) async throws -> Space {
        let opened = try parts.open(parts.configuration.store())
        let store = opened.store
        try await parts.registerClasses(in: store)
        for line in try store.accounts.findings().lines { parts.logger.warning("\(line)") }
        for line in try await store.maintenance.takeNewRights()?.lines ?? [] {
            parts.logger.warning("this version enforces rights that earlier ones only stored: \(line)")
        }
        let setup = parts.program.map {
            StandaloneSetup(
                configuration: parts.configuration, store: store, stores: parts.stores, remotes: parts.remotes,
                owners: $0.owners, restart: $0.restart, logger: parts.logger)
        }
        let api = Standalone.api(try parts.api(opened, setup: setup), accounts: store.accounts)
        // A standalone gateway can be the remote of replicas. A replica uploads a file before the object that refers to
        // the file, and a rejection or a conflict can delay the object. Files without a reference are therefore kept
        // for 30 days.
        return parts.space(opened, api: api, syncing: nil, fileGrace: .seconds(30 * 24 * 3600))
    }
}
