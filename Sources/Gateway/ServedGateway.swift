import GatewayAPI
import HTTPClient
import Logging
import ParseModel
import RemoteService
import StoreService

/// A gateway without a socket: its own space (store, API and sync engine) and, in a personal replica, the spaces of its
/// users. `Gateway` serves it over HTTP. The simulation calls the API directly.
package struct ServedGateway: Sendable {
    let space: Space

    package var api: GatewayAPI { space.api }
    package var store: any GatewayStore { space.store }

    /// Opens the data directory. Nothing is sent to the remote before `start`.
    /// - Parameters:
    ///   - configuration: the configuration, which must name the kind of the remote.
    ///   - isOwnAddress: whether an address is the gateway's listening address.
    ///   - program: the program that serves the gateway; nil without one.
    /// - Throws: `StoreError`, `GatewayError`.
    package init(
        _ configuration: GatewayConfiguration, stores: any StoreKind, remotes: RemoteFactory,
        isOwnAddress: @escaping @Sendable (SocketAddress) -> Bool = { _ in false }, environment: Environment,
        audit: any AuditTrail, logger: Logger, program: ProgramParts? = nil
    ) async throws {
        let parts = SpaceParts(
            configuration: configuration, stores: stores, remotes: remotes, isOwnAddress: isOwnAddress,
            environment: environment, audit: audit, logger: logger, program: program)
        space =
            switch (configuration.remote, configuration.people.mode) {
            case (nil, _): try await StandaloneSpace.open(parts)
            case (_, .off): try await ReplicaSpace.open(parts)
            case (_, .personal): try await PersonalSpaces.open(parts)
            case (_, .site): try await SiteSpace.open(parts)
            }
        try await Self.notePeople(configuration, space.store, stores, logger)
    }

    /// Begins the background work.
    package func start() { space.start() }

    /// Ends the background work, and closes the spaces of users.
    /// - Parameter endsRequests: ends the requests of clients.
    package func stop(endsRequests: @escaping @Sendable () async -> Void = {}) async {
        await space.stop(endsRequests: endsRequests)
    }

    /// Records the setting `people` in a replica's store, and logs the differences from the last start. Called before
    /// the first sync of this start.
    private static func notePeople(
        _ configuration: GatewayConfiguration, _ store: any GatewayStore, _ stores: any StoreKind, _ logger: Logger
    ) async throws {
        guard configuration.remote != nil else { return }
        let was = try store.people.mode()
        // A version without the setting has recorded only the time of its last sync. A start that failed has recorded
        // nothing.
        let isOfEarlierVersion = if was == nil { try await store.figures().lastSyncAt != nil } else { false }
        let mode = try PeopleMode(
            was: was, isOfEarlierVersion: isOfEarlierVersion,
            waitingAuthors: try await store.sync(as: .gateway).waitingAuthors().count,
            settings: configuration.people, dataDirectory: configuration.dataDirectory, stores: stores)
        for line in mode.lines { logger.notice("\(line)") }
        if mode.changesRights { try await store.people.endFeedPositions() }
        if was != mode.isNow.rawValue { try await store.people.setMode(mode.isNow.rawValue) }
    }
}
