import GatewayAPI
import StoreService

/// The user of a space, and the parts of the gateway on which the space depends: its sessions, its store and its shared
/// files.
struct UserOfGateway: Sendable {
    let user: SpaceUser
    let sessions: UserSessions
    let registry: any UserSpaces
    /// The gateway's own store.
    let gateway: any GatewayStore
    /// The contents that the gateway keeps for all its users; nil if the remote keeps no files.
    let files: SharedFiles?

    /// The classes of the gateway, with their options and pulls.
    func classes() async throws -> [SyncClass] { try await gateway.sync(as: .gateway).syncClasses() }

    /// Whether syncing is paused for the whole gateway.
    func isPaused() async throws -> Bool { try await gateway.figures().isPaused }
}
