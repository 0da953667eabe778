/// User actions at a replica while one of its requests is in flight.
struct ConcurrentActions: Sendable {
    let users: SimulatedUsers
    let decisions: Decisions
    let random: PartyRandom

    @Sendable func perform(_ replica: SimulatedReplica) async {
        // Users stop working when the faults stop.
        guard replica.transport.conditions.withLock({ !$0.isFaultFree }), random.chance(0.15) else { return }
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
