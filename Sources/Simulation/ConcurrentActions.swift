import Synchronization

/// User actions at a replica. `perform` runs an action while a request of the replica is in flight.
final class ConcurrentActions: Sendable {
    private let users: SimulatedUsers
    private let decisions: Decisions
    private let random: PartyRandom
    private let count = Atomic(0)

    /// The maximum number of actions during requests in a run. An action causes requests, and a request may cause an action.
    /// Without a maximum, an engine that schedules its own syncs might never finish its work.
    private static let countMax = 300

    init(users: SimulatedUsers, decisions: Decisions, random: PartyRandom) {
        self.users = users
        self.decisions = decisions
        self.random = random
    }

    @Sendable func perform(_ replica: SimulatedReplica) async {
        // Users stop acting when the faults stop.
        guard replica.transport.conditions.withLock({ !$0.isFaultFree }), random.chance(0.15),
            count.add(1, ordering: .relaxed).newValue <= Self.countMax
        else { return }
        await Self.act(at: replica, users: users, decisions: decisions)
    }

    static func act(
        at replica: SimulatedReplica, users: SimulatedUsers, decisions: Decisions, isCorrection: Bool = false
    ) async {
        guard let store = replica.process?.store, !replica.hasEnded else { return }
        await users.act(
            as: replica.name, seeing: store,
            write: {
                _ = try await store.perform([$0], as: .master, atomically: false)[0].get()
                await replica.process?.loop?.noteWrite()
            },
            undo: { await decisions.undo(at: replica) }, isCorrection: isCorrection)
    }
}
