import ParseModel
import StoreService

/// A server and its replicas, which people use through the API. One seed determines the run. All replicas of a run are
/// personal, or all are sites.
///
/// The first phase has faults. In the second phase the faults stop, everybody logs in again, and each replica must show
/// each user the same objects as the server.
final class PeopleWorld: Sendable {
    private let steps: Int
    let random: PartyRandom
    let server: PeopleServer
    let time: PeopleTime
    let users: PeopleUsers
    let replicas: [PeopleReplica]
    /// By replica name, the facts that the replica has learned from the server.
    let beliefs: [String: PeopleBeliefs]
    let trace: Trace
    private let faultShare: Double

    private static let userCount = 3

    init(
        seed: UInt64, steps: Int, directory: String, sabotage: Sabotage?, keepsLines: Bool,
        executor: SerialTaskExecutor
    ) async throws {
        self.steps = steps
        random = PartyRandom(seed: seed, of: "world")
        let time = SimulatedTime()
        self.time = PeopleTime(time, executor: executor)
        let trace = Trace(time: time, keepsLines: keepsLines)
        self.trace = trace
        var settings = SimulatedServer.Settings(PartyRandom(seed: seed, of: "settings"), nil, .people)
        // The server ends sessions after an hour, so that a session may end during a sync.
        if random.chance(0.3) { settings.sessionLength = .seconds(3600) }
        let serverRandom = PartyRandom(seed: seed, of: "server")
        let server = PeopleServer(
            try SimulatedServer(
                directory: directory + "/server", settings: settings, time: time, random: serverRandom, trace: trace,
                behaviour: SimulatedServer.Behaviour(.people, seed: seed), dataFault: nil,
                dataFaultRandom: serverRandom, tables: nil, executor: executor))
        self.server = server
        users = PeopleUsers(server: server, seed: seed, trace: trace)
        faultShare = [0, 0.05, 0.15, 0.3][random.below(4)]
        let product: PeopleProduct = seed.isMultiple(of: 2) ? .site : .personal
        var (replicas, beliefs): ([PeopleReplica], [String: PeopleBeliefs]) = ([], [:])
        for index in 0..<random.within(1...2) {
            let known = PeopleBeliefs(of: "replica\(index)", server: server, trace: trace)
            let replica = PeopleReplica(
                index: index, directory: "\(directory)/replica\(index)", server: server, time: self.time, seed: seed,
                product: product, trace: trace, sabotage: sabotage, beliefs: known)
            replicas.append(replica)
            beliefs[replica.name] = known
        }
        (self.replicas, self.beliefs) = (replicas, beliefs)
        trace.note("\(settings) faults \(faultShare) \(replicas.map(\.settings))")
    }

    var fingerprint: UInt64 { trace.fingerprint }
    var lines: [String] { trace.lines }
    var faults: [String: Int] { trace.faults }
    var findings: [String] { replicas.flatMap { beliefs(of: $0).findings } }

    /// Runs the phase with faults, the phase without faults, and the final checks.
    /// - Returns: the violations; empty for a correct run.
    func run() async throws -> [String] {
        try await begin()
        for _ in 0..<steps where findings.isEmpty { try await step() }
        if findings.isEmpty { try await settle() }
        // Ends the tasks of the gateways, which would outlive the run.
        for replica in replicas { await replica.end(isCrash: true) }
        trace.note("end: \(findings.count) findings, \(users.writes.count) writes")
        return findings
    }

    func beliefs(of replica: PeopleReplica) -> PeopleBeliefs {
        guard let known = beliefs[replica.name] else { preconditionFailure("every replica has beliefs") }
        return known
    }

    func place(_ userId: String, at replica: PeopleReplica) -> PeopleUsers.Client {
        PeopleUsers.Client(replica: replica, beliefs: beliefs(of: replica), userId: userId)
    }

    /// Advances the time. The facts that the replicas have learned then count as stored.
    func pass(ms: Int) async {
        await time.pass(ms: ms)
        await server.executeDelayedRequests()
        for replica in replicas where !replica.hasEnded { beliefs(of: replica).takeEndings() }
    }

    private func begin() async throws {
        try await server.begin(userCount: Self.userCount)
        for number in 1...4 {
            let title = JSONValue.string("t\(number)-server")
            var body: JSONObject = ["title": title, "a": title]
            if number > 2, let acl = users.randomACL(of: nil) { body["ACL"] = acl }
            try await server.write(.create(className: number % 2 == 0 ? "Note" : "Place", body: body))
        }
        try await RightsRounds(world: self).createObjects()
        for replica in replicas {
            try await replica.start()
            await pass(ms: 5000)
            for user in server.users { await users.logIn(at: place(user.id, at: replica)) }
        }
        await pass(ms: 70_000)
    }

    // MARK: Phase with faults

    private enum Event { case act, changeServer, pass, passLong, cut, outage, crash, restart }

    private func step() async throws {
        let events: [(Event, weight: Int)] = [
            (.act, 60), (.changeServer, 14), (.pass, 12), (.passLong, 1), (.cut, 8), (.outage, 3), (.crash, 4),
            (.restart, 2),
        ]
        guard let replica = random.pick(replicas), let event = random.pick(weighted: events),
            let user = random.pick(server.users)
        else { return }
        for replica in replicas { replica.network.conditions.withLock { $0.faultShare = faultShare } }
        await pass(ms: random.within(1...800))
        switch event {
        case .act:
            for _ in 0..<random.within(1...3) {
                await users.act(at: place(user.id, at: replica))
                await pass(ms: random.within(1...300))
            }
        case .changeServer: try await changeServer(user.id)
        case .pass: await pass(ms: random.within(1000...90_000))
        case .passLong: await pass(ms: random.within(600_000...1_500_000))
        case .cut:
            replica.network.conditions.withLock { $0.isOffline.toggle() }
            trace.note("\(replica.name) network \(replica.network.isOffline ? "cut" : "back")")
        case .outage: try await sitOut(at: replica)
        case .crash: replica.scheduleCrash()
        case .restart:
            await replica.end(isCrash: false)
            try await replica.start()
        }
        for replica in replicas where replica.hasEnded { try await restart(replica) }
    }

    func restart(_ replica: PeopleReplica) async throws {
        trace.note("\(replica.name) restarts")
        await replica.end(isCrash: true)
        try await replica.start()
    }
}
