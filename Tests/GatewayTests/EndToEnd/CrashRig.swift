import Foundation
import GRDB
import ParseModel
import Testing

/// A hub (the remote), its replica and the replica's clients, which run through any number of kills.
struct CrashRig {
    /// The processes that are killed in a round.
    enum Victims: Sendable { case replica, hub, both }

    /// Counts of the events of the run, for failure messages.
    struct Figures {
        var rounds = 0
        var acknowledged = 0
        var replicaKills = 0
        var hubKills = 0
        /// The number of rounds in which the replica was killed while changes were being sent.
        var killsDuringPush = 0
        /// The number of increments of unknown outcome about which the test decided.
        var decided = 0
    }

    private static let objectsMax = 1000

    private(set) var hub: Daemon
    private(set) var replica: Daemon
    private(set) var clients: [CrashClient]
    private(set) var figures = Figures()
    /// The violated guarantees, one line each.
    private(set) var problems: [String] = []
    private let hubDirectory: TemporaryDirectory
    private let replicaDirectory: TemporaryDirectory
    private let hubPort: Int
    /// The value of the shared counter at the last check.
    private var shared = 0

    init(clients count: Int, seed: UInt64) async throws {
        hubDirectory = try TemporaryDirectory()
        replicaDirectory = try TemporaryDirectory()
        let hub = try await Daemon(hubDirectory)
        self.hub = hub
        hubPort = hub.port
        let replica = try await Daemon.replica(of: hub.url, replicaDirectory)
        self.replica = replica
        let sharedId = try await replica.create(["name": "shared", "note": 0, "count": 0])
        clients = (1...count).map { CrashClient(number: $0, sharedId: sharedId, seed: seed) }
    }

    // MARK: A round

    /// Lets the clients write until the processes are killed, restarts them, and checks the state.
    /// - Parameter syncs: whether syncs run continuously meanwhile.
    mutating func round(
        killing victims: Victims, after count: Int, of event: CrashMoment.Event, turns: Int, syncs: Bool
    ) async throws {
        let (hub, replica) = (hub, replica)
        let moment = CrashMoment(after: count, of: event, turns: turns) {
            if victims != .replica { hub.kill() }
            if victims != .hub { replica.kill() }
        }
        let watching = try await Self.watch(hub, for: moment)
        let syncing = Task {
            while syncs, !moment.isOver, (try? await replica.sync()) != nil {}
        }
        clients = await withTaskGroup { [clients] group in
            for var client in clients {
                group.addTask {
                    await client.write(to: replica, until: moment)
                    return client
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        watching.cancel()
        await watching.value
        await syncing.value
        figures.rounds += 1
        figures.acknowledged += moment.acknowledged
        if !moment.isOver { problems.append("the clients stopped before the kill") }
        if victims != .replica { try await restartHub() }
        if victims != .hub { try await restartReplica() }
        try await check()
    }

    /// Watches the hub's change feed, and reports each change that arrives there.
    private static func watch(_ hub: Daemon, for moment: CrashMoment) async throws -> Task<Void, Never> {
        var next = try await hub.send(.get, "/changes?since=latest").json.object?["next"]?.int ?? 0
        return Task {
            while moment.event == .arrival, !moment.isOver, !Task.isCancelled {
                guard let page = try? await hub.send(.get, "/changes?since=\(next)").json.object else { return }
                next = page["next"]?.int ?? next
                for _ in page["results"]?.array ?? [] { await moment.note(.arrival) }
            }
        }
    }

    private mutating func restartHub() async throws {
        figures.hubKills += 1
        expectKilled(hub, "hub")
        _ = try await examine(hubDirectory)
        hub = try await Daemon(hubDirectory, port: hubPort)
    }

    private mutating func restartReplica() async throws {
        figures.replicaKills += 1
        expectKilled(replica, "replica")
        if try await examine(replicaDirectory) > 0 { figures.killsDuringPush += 1 }
        replica = try await Daemon.replica(of: hub.url, replicaDirectory)
    }

    /// Checks that a daemon ended by the kill. Otherwise it crashed before.
    private mutating func expectKilled(_ daemon: Daemon, _ name: String) {
        let code = daemon.end(SIGKILL)
        if code != SIGKILL { problems.append("the \(name) ended by itself, with \(code)") }
    }

    /// Checks a copy of a killed daemon's database, so that the daemon itself must recover the original.
    /// - Returns: the number of changes in flight.
    private mutating func examine(_ directory: TemporaryDirectory) async throws -> Int {
        let copy = try TemporaryDirectory()
        for name in ["tidegate.sqlite", "tidegate.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: "\(directory.path)/\(name)", toPath: "\(copy.path)/\(name)")
        }
        let (report, inFlight) = try await DatabaseQueue(path: copy.path + "/tidegate.sqlite").read { db in
            (
                try String.fetchAll(db, sql: "PRAGMA integrity_check"),
                try Int.fetchOne(db, sql: "SELECT count(*) FROM outbox WHERE phase = 'inFlight'") ?? 0
            )
        }
        if report != ["ok"] { problems.append("the integrity check says \(report)") }
        return inFlight
    }

    // MARK: Checking

    /// Compares the replica with the answers that its clients received.
    private mutating func check() async throws {
        var seen = try await replicaWithoutConflicts()
        let counter = seen.removeValue(forKey: "shared")?.values.count ?? 0
        let acknowledged = shared + clients.map(\.sharedIncrements).reduce(0, +)
        let inFlight = clients.count { if case .incrementShared = $0.inFlight { true } else { false } }
        if !(acknowledged...(acknowledged + inFlight)).contains(counter) {
            problems.append("the shared counter is \(counter), not \(acknowledged) and up to \(inFlight) more")
        }
        shared = counter
        for index in clients.indices {
            clients[index].sharedIncrements = 0
            clients[index].check(against: seen)
        }
        let names = Set(clients.flatMap(\.known.keys))
        for name in seen.keys.sorted() where !names.contains(name) { problems.append("\(name) is there again") }
        problems += clients.flatMap(\.problems)
    }

    /// The replica's objects by name, without those in an open conflict.
    private mutating func replicaWithoutConflicts() async throws -> [String: CrashClient.Known] {
        for _ in 0..<100 {
            try await decideConflicts()
            let answer = try await replica.send(.get, "/classes/Holiday?limit=\(Self.objectsMax)&_sync=true")
            let objects = answer.json.object?["results"]?.array?.compactMap(\.object) ?? []
            // An object in conflict shows its local change on top of a remote state that may already contain the
            // change.
            if objects.contains(where: { $0["_sync"]?.object?["state"] == "conflict" }) { continue }
            return byName(objects)
        }
        problems.append("conflicts do not end")
        return [:]
    }

    private mutating func byName(_ objects: [JSONObject]) -> [String: CrashClient.Known] {
        var found: [String: CrashClient.Known] = [:]
        for object in objects {
            let name = object["name"]?.string ?? ""
            if found[name] != nil { problems.append("\(name) is there twice") }
            found[name] = CrashClient.Known(
                objectId: object["objectId"]?.string ?? "",
                values: .init(note: object["note"]?.int ?? -1, count: object["count"]?.int ?? -1))
        }
        return found
    }

    /// Decides the open conflicts. Only these clients increment the counter, so a changed count shows that the
    /// increment was applied.
    private mutating func decideConflicts() async throws {
        let conflicts = try await replica.send(.get, "/sync/conflicts").json.object?["results"]?.array ?? []
        for conflict in conflicts.compactMap(\.object) {
            guard conflict["kind"] == "wasThisApplied", let id = conflict["id"]?.int else {
                problems.append("a conflict that nobody made: \(conflict.jsonText)")
                continue
            }
            let wasApplied = conflict["base"]?.object?["count"] != conflict["remote"]?.object?["count"]
            let answer = try await replica.send(
                .post, "/sync/conflicts/\(id)", ["keep": wasApplied ? "applied" : "sendAgain"])
            if answer.status == 200 { figures.decided += 1 }
        }
    }

    // MARK: End of the run

    /// Syncs until no work is pending, and compares hub, replica and clients.
    mutating func finish() async throws {
        try await syncUntilNothingWaits()
        try await check()
        let there = try await hub.holidays()
        if try await replica.holidays() != there { problems.append("hub and replica differ") }
        let onHub = byName(there.values.compactMap(\.object)).mapValues(\.values)
        var expected = clients.reduce(into: ["shared": CrashClient.Values(count: shared)]) { all, client in
            all.merge(client.known.mapValues(\.values)) { $1 }
        }
        for (name, values) in onHub where expected.removeValue(forKey: name) != values {
            problems.append("the hub has \(name) with \(values)")
        }
        for name in expected.keys.sorted() { problems.append("the hub lacks \(name)") }
        for daemon in [replica, hub] where daemon.end(SIGTERM) != 0 { problems.append("a daemon did not end well") }
    }

    /// A change that was in flight during a kill is sent again only after the grace period, some seconds later.
    private mutating func syncUntilNothingWaits() async throws {
        for _ in 0..<20_000 {
            let sync = try await replica.sync()
            if sync.status != 200 { problems.append("a sync was answered with \(sync.status) \(sync.json)") }
            try await decideConflicts()
            let status = try await replica.send(.get, "/sync").json.object
            if status?["pending"] == 0, status?["conflicts"] == 0 { return }
            if !problems.isEmpty { return }
        }
        problems.append("changes wait for ever: \(try await replica.send(.get, "/sync/pending").json)")
    }
}
