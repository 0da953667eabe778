import ParseModel
import RemoteService
import SyncEngine
import SyncModel
import Testing

/// A conflict policy, and the side that wins under it in a certain kind of conflict.
struct PolicyCase: Sendable {
    let policy: ConflictPolicy
    /// The side that wins without a decision; nil if a user must decide.
    let winner: String?

    /// For each policy, the winner if both sides changed the same field.
    static let fields = [
        PolicyCase(policy: .merge, winner: "local"), PolicyCase(policy: .remote, winner: "remote"),
        PolicyCase(policy: .local, winner: "local"), PolicyCase(policy: .manual, winner: nil),
    ]
    /// For each policy, the winner if one side deleted an object that the other edited.
    static let deletions = [
        PolicyCase(policy: .merge, winner: nil), PolicyCase(policy: .remote, winner: "remote"),
        PolicyCase(policy: .local, winner: "local"), PolicyCase(policy: .manual, winner: nil),
    ]
}

extension World {
    /// Makes a world with one object that remote and replica both have. Then time passes.
    static func sharing(_ body: JSONObject, _ policy: ConflictPolicy) async throws -> (World, String) {
        let world = try await World.make()
        try await world.replica.set(["policy": .string(policy.rawValue)])
        let id = try await world.hub.store.create("Holiday", body)
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        return (world, id)
    }

    func syncLater() async throws -> SyncSummary {
        clock.advance(.seconds(30))
        return try await replica.sync()
    }
}
