import GatewayAPI
import HTTPClient
import Logging
import ParseModel
import RemoteService
import StoreService

/// The parts that the spaces of a gateway have in common.
struct PeopleParts: Sendable {
    let configuration: GatewayConfiguration
    let stores: any StoreKind
    let remotes: RemoteFactory
    let isOwnAddress: @Sendable (SocketAddress) -> Bool
    let environment: Environment
    let audit: any AuditTrail
    let logger: Logger
    let common: Space.Common

    init(
        configuration: GatewayConfiguration, stores: any StoreKind, remotes: RemoteFactory,
        isOwnAddress: @escaping @Sendable (SocketAddress) -> Bool, environment: Environment,
        audit: any AuditTrail, logger: Logger
    ) {
        self.configuration = configuration
        self.stores = stores
        self.remotes = remotes
        self.isOwnAddress = isOwnAddress
        self.environment = environment
        self.audit = audit
        self.logger = logger
        common = Space.Common(environment: environment)
    }
}
