import Synchronization

/// Lets users act at a replica while a request of the replica is in flight.
final class ConcurrentActions: Sendable {
    private let users: SimulatedUsers
    private let decisions: Decisions
    private let random: PartyRandom
    /// The server, whose own users then act too; nil if they never act during a request.
    private let server: SimulatedServer?
    private let count = Atomic(0)

    /// The maximum number of such actions in a run. An action causes requests, and a request may cause an action.
    /// Without a maximum, an engine that schedules its own syncs might never finish its work.
    private static let countMax = 300

    init(users: SimulatedUsers, decisions: Decisions, random: PartyRandom, server: SimulatedServer?) {
        self.server = server
        self.users = users
        self.decisions = decisions
        self.random = random
    }

    @Sendable func perform(_ replica: SimulatedReplica) async {
        if let server { await act(on: server, during: replica) }
        // Users stop acting when the faults stop.
        guard replica.transport.conditions.withLock({ !$0.isFaultFree }), random.chance(0.15),
            count.add(1, ordering: .relaxed).newValue <= Self.countMax
        else { return }
        await Self.act(at: replica, users: users, decisions: decisions)
    }

    /// Lets a user of the server act, so that rows change between two requests of a replica.
    private func act(on server: SimulatedServer, during replica: SimulatedReplica) async {
        guard replica.transport.conditions.withLock({ !$0.isFaultFree }), random.chance(Self.serverShare),
            count.add(1, ordering: .relaxed).newValue <= Self.countMax
        else { return }
        // If the time stood still, a row that is edited at once would look like the unedited result of its create.
        server.passMillisecond()
        let write: SimulatedUsers.Write = { request in
            _ = try await server.write(request).get()
        }
        // Other clients may find a new object before the replica that created it has the answer to the create.
        if random.chance(Self.newestShare), let newest = users.newest(in: server.store) {
            await users.act(as: SimulatedServer.name, on: newest, seeing: server.store, write: write)
        } else {
            await users.act(as: SimulatedServer.name, seeing: server.store, write: write)
        }
    }

    private static let (serverShare, newestShare) = (0.12, 0.5)

    static func act(
        at replica: SimulatedReplica, users: SimulatedUsers, decisions: Decisions, isCorrection: Bool = false
    ) async {
        guard let store = replica.process?.store, !replica.hasEnded else { return }
        let reader = users.chooseReader.withLock { $0 }?(store) ?? .master
        await SimulatedUsers.$reader.withValue(reader) {
            await users.act(
                as: replica.name, seeing: store,
                write: {
                    _ = try await store.objects.perform([$0], as: reader, atomically: false)[0].get()
                    await replica.process?.loop?.noteWrite()
                },
                undo: { await decisions.undo(at: replica) }, isCorrection: isCorrection)
        }
    }
}
