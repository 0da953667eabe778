import Foundation
import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Synchronization

/// A server, several replicas and their users. One seed determines the run. The first phase has faults. In the second
/// phase the faults stop, and all replicas must reach the same state as the server.
final class World: Sendable {
    private let seed: UInt64
    let kind: SeedKind
    private let steps: Int
    let time = SimulatedTime()
    private let random: PartyRandom
    let server: SimulatedServer
    let replicas: [SimulatedReplica]
    let users: SimulatedUsers
    /// The users of the server who work at the replicas; nil except in runs of kind `site`.
    let people: SimulatedPeople?
    private let decisions: Decisions
    let trace: Trace
    let dataFault: DataFault?
    let dataFaultRandom: PartyRandom
    /// The latest backup of the server, and the number of restores.
    let past = Mutex<(backup: SimulatedServer.Backup?, restores: Int)>((nil, 0))
    let watchList: SharedWatchList
    private let faultShare: Double

    /// The maximum number of sync rounds in which all replicas must reach the same state as the server.
    private static let roundsMax = 40

    init(
        seed: UInt64, kind: SeedKind, steps: Int, directory: String, sabotage: Sabotage?, dataFault: DataFault?,
        keepsLines: Bool
    ) async throws {
        func draws(_ party: String) -> PartyRandom { PartyRandom(seed: seed, of: party) }
        self.seed = seed
        self.kind = kind
        self.steps = steps
        random = draws("world")
        trace = Trace(time: time, keepsLines: keepsLines)
        self.dataFault = dataFault
        dataFaultRandom = draws("misfortunes")
        let settings = SimulatedServer.Settings(draws("settings"), dataFault, kind)
        server = try SimulatedServer(
            directory: directory + "/server", settings: settings, time: time,
            random: draws("server"), trace: trace,
            behaviour: SimulatedServer.Behaviour(kind, seed: seed), dataFault: dataFault,
            dataFaultRandom: draws("losses"),
            tables: kind.speaksDatasync
                ? TablesSettings(draws("tables"), keepsTombstones: kind.keepsTombstones, pageMax: settings.pageMax)
                : nil)
        let shared = ClassSettings.Shared(draws("classes"), kind)
        users = SimulatedUsers(
            shared: shared, random: draws("people"), hasLargeRows: SimulatedUsers.hasLargeRows(seed), trace: trace,
            kind: kind,
            forms: kind == .openForms ? OpenForms(draws("forms"), hidesBase: sabotage == .formsUnnamed) : nil)
        let watchList = SharedWatchList()
        self.watchList = watchList
        decisions = Decisions(
            users: users, server: server, random: draws("decisions"), trace: trace, sabotage: sabotage,
            onRemoval: { ids, replica in watchList.list.withLock { $0.release(ids, at: replica) } })
        let users = users
        let unknownCreates =
            kind == .creates ? UnknownCreates(users: users, server: server, random: draws("doubts")) : nil
        users.unknownCreates.withLock { $0 = unknownCreates }
        faultShare = [0, 0.05, 0.15, 0.3][random.below(4)]
        let concurrentActions = ConcurrentActions(
            users: users, decisions: decisions, random: draws("meanwhile"),
            server: kind.speaksDatasync ? server : nil)
        var replicas: [SimulatedReplica] = []
        for index in 0..<random.within(2...3) {
            replicas.append(
                try await SimulatedReplica(
                    index: index, directory: "\(directory)/replica\(index)", server: server, time: time, seed: seed,
                    shared: shared, trace: trace, sabotage: sabotage, kind: kind, unknownCreates: unknownCreates,
                    duringRequest: concurrentActions.perform))
        }
        self.replicas = replicas
        people = kind == .site ? SimulatedPeople(server: server, random: draws("sessions"), trace: trace) : nil
        people?.choose(for: users)
        let tell: @Sendable (String, String, String) -> Void = { [weak self] party, className, objectId in
            self?.watchLoss(of: objectId, in: className, at: party)
        }
        server.onLoss.withLock { $0 = tell }
        trace.note(
            "\(settings) \(server.tables.map { "\($0.settings) " } ?? "")faults \(faultShare) \(replicas.map(\.settings))"
        )
    }

    /// Runs the phase with faults, the phase without faults, and the final check.
    /// - Returns: the violations; empty for a correct run.
    func run() async throws -> [String] {
        // Breaks a reference cycle that would keep the server's file open.
        defer {
            users.unknownCreates.withLock { $0 = nil }
            users.chooseReader.withLock { $0 = nil }
            users.chooseACL.withLock { $0 = nil }
        }
        if let people { try await begin(people) }
        if server.settings.mayReturnEmptyLists { try await createPermanentObjects() }
        if kind == .relations { try await createRelations() }
        if kind == .manyPages {
            for _ in 0..<random.within(10...40) {
                time.advance(ms: random.within(1...500))
                await actOnServer()
            }
        }
        for _ in 0..<steps {
            try await injectDataFault()
            try await step()
            await runEngineLoops()
        }
        let isSettled = try await settle()
        var findings = replicas.flatMap(\.findings) + (server.tables?.findings ?? [])
        if !isSettled { findings.append("the sides do not converge: \(try await unsettled())") }
        let check = FinalCheck(
            replicas: replicas, server: server, users: users, dataFault: dataFault, trace: trace)
        // Skips the final check after a finding, because one violation causes many further differences.
        if findings.isEmpty { findings = try check.stateDifferences() + (try check.ledgerViolations()) }
        if !findings.isEmpty { try check.traceRecords() }
        try countQuestions()
        trace.note("end: \(findings.count) findings, \(server.history.withLock { $0.knownIds.count }) objects")
        return findings
    }

    var fingerprint: UInt64 { trace.fingerprint }
    var lines: [String] { trace.lines }
    var faults: [String: Int] { trace.faults }

    /// Creates objects that every replica pulls and that no user deletes. With such an object, a replica can recognise
    /// that an empty list is faulty.
    private func createPermanentObjects() async throws {
        for className in SimulatedReplica.classes {
            for number in 1...2 {
                let title = JSONValue.string("\(SimulatedUsers.permanentTitlePrefix)\(className)\(number)")
                let body: JSONObject = ["title": title, "n": 0, "log": [], "b": title]
                _ = try await server.write(.create(className: className, body: body)).get()
            }
        }
        time.advance(ms: 1000)
        for replica in replicas { _ = await replica.sync(.full) }
    }

    /// Creates `Note` objects with so many relation members that a replica needs several syncs to read all of them.
    private func createRelations() async throws {
        var places: [String] = []
        for number in 1...5 {
            let body: JSONObject = ["title": .string("relatedPlace\(number)"), "n": 0, "log": []]
            places.append(try await server.write(.create(className: "Place", body: body)).get().objectId)
        }
        for number in 1...9 {
            let friends = places.indices.filter { (number * 7 + $0 * 3) % 4 < 2 }.map { places[$0] }
            let pointers = friends.map { Pointer(className: "Place", objectId: $0).json }
            let body: JSONObject = [
                "title": .string("relatedNote\(number)"), "n": 0, "log": [], "b": "b",
                "friends": ["__op": "AddRelation", "objects": .array(pointers)],
            ]
            _ = try await server.write(.create(className: "Note", body: body)).get()
        }
        time.advance(ms: 1000)
    }

    /// Changes all `Note` objects at once, so that the members of each relation must be read again.
    private func changeAllNotes() async throws {
        for note in users.visibleObjects(in: server.store) where note.className == "Note" {
            _ = await server.write(
                .update(className: "Note", objectId: note.objectId, body: ["bulk": .int(random.below(1000))]))
        }
        trace.note("all notes change")
    }

    // MARK: Phase with faults

    private enum Event {
        case act, actTogether, actInHaste, actOnServer, changeAllNotes, actOnUnknownCreate, sync, crashingSync, pass,
            crash, cut,
            emptyLists,
            setClock,
            decide, changePeople
    }

    private func step() async throws {
        let events: [(Event, weight: Int)] = [
            (.act, 40), (.actTogether, actTogetherWeight), (.actInHaste, kind == .haste ? 40 : 4),
            (.actOnServer, kind == .lateCommits || kind.hasManyCrashes ? 30 : 8),
            (.sync, 28),
            (.crashingSync, kind.hasManyCrashes ? 40 : 8), (.pass, kind.hasManyCrashes ? 20 : 8), (.crash, 3),
            (.cut, 3),
            (.emptyLists, emptyListsWeight), (.setClock, 1), (.decide, 4),
            (.changeAllNotes, kind == .relations ? 6 : 0), (.actOnUnknownCreate, kind == .creates ? 15 : 0),
            (.changePeople, kind == .site ? 14 : 0),
        ]
        guard let replica = random.pick(replicas), let event = random.pick(weighted: events) else { return }
        time.advance(ms: random.within(1...500))
        await server.executeDelayedRequests()
        switch event {
        case .act: await act(at: replica)
        case .actTogether: await actTogether(at: replica)
        case .actInHaste: try await actInHaste(at: replica)
        case .actOnServer: await actOnServer()
        case .changeAllNotes: try await changeAllNotes()
        case .sync: try await sync(replica)
        case .crashingSync:
            replica.scheduleCrash()
            try await sync(replica)
        case .actOnUnknownCreate: await users.unknownCreates.withLock { $0 }?.actOnUnknownCreate(at: replica)
        case .pass: time.advance(ms: random.within(1000...60_000))
        case .crash: replica.scheduleCrash()
        case .cut:
            replica.transport.conditions.withLock { $0.isDisconnected.toggle() }
            trace.note(
                "\(replica.name) network \(replica.transport.conditions.withLock { $0.isDisconnected } ? "cut" : "back")"
            )
        case .emptyLists:
            server.returnsEmptyLists.withLock { $0.toggle() }
            trace.note("the server returns \(server.returnsEmptyLists.withLock { $0 } ? "empty" : "complete") lists")
        case .setClock: replica.clock.jump(ms: Int64(random.within(-3_600_000...3_600_000)))
        case .decide: await decisions.decide(at: replica, share: 0.5)
        case .changePeople: try await people?.act(at: replica)
        }
        if replica.hasEnded { try await replica.restart() }
    }

    /// The weight of the event `actTogether`. In runs of kind `timers`, it is 0: users write one after the other,
    /// because each write waits until the engine has set a timer.
    private var actTogetherWeight: Int {
        switch kind {
        case .crashes, .manyPages: 12
        case .timers: 0
        default: 6
        }
    }

    /// The weight of the event `emptyLists`. The event starts or ends a period in which the server returns empty lists. A period
    /// starts rarely and ends soon.
    private var emptyListsWeight: Int {
        server.returnsEmptyLists.withLock { $0 } ? 20 : server.settings.mayReturnEmptyLists ? 1 : 0
    }

    /// In runs of kind `timers`, fires the due timers of every replica's engine.
    private func runEngineLoops() async {
        guard kind == .timers else { return }
        for replica in replicas {
            replica.transport.conditions.withLock { if !$0.isFaultFree { $0.faultShare = faultShare } }
            await replica.process?.loop?.runDueTimers()
        }
    }

    private func actOnServer() async {
        await users.act(as: SimulatedServer.name, seeing: server.store) { [server] in
            _ = try await server.write($0).get()
        }
    }

    private func act(at replica: SimulatedReplica) async {
        if kind == .once, random.chance(0.7) {
            replica.transport.conditions.withLock { $0.faultShare = faultShare }
            if random.chance(0.1) { replica.scheduleCrash() }
            return random.chance(0.6)
                ? await OnceWrites(users: users).act(at: replica)
                : await ConfirmedWrites(users: users, time: time).act(at: replica)
        }
        await ConcurrentActions.act(at: replica, users: users, decisions: decisions)
    }

    /// Lets several users of one replica write at the same moment, so that one transaction contains their writes.
    private func actTogether(at replica: SimulatedReplica) async {
        replica.writes.close()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<random.within(2...4) {
                group.addTask { [users, decisions] in
                    await ConcurrentActions.act(at: replica, users: users, decisions: decisions)
                }
            }
            // Tasks start in order, so all writes already wait when this task opens the gate.
            group.addTask { replica.writes.open() }
        }
    }

    /// Lets a user act once, and then edit or delete the object written last twice. One or two syncs follow each
    /// action.
    private func actInHaste(at replica: SimulatedReplica) async throws {
        for isCorrection in [false, true, true] {
            await ConcurrentActions.act(at: replica, users: users, decisions: decisions, isCorrection: isCorrection)
            for _ in 0..<random.within(1...2) {
                try await sync(replica)
                time.advance(ms: random.within(1...1000))
            }
        }
    }

    private func sync(_ replica: SimulatedReplica) async throws {
        replica.transport.conditions.withLock { $0.faultShare = faultShare }
        guard replica.process != nil else { return }
        let calls: [(SyncRequest, weight: Int)] = [
            (.full, 80), (SyncRequest(pulls: false), 10), (SyncRequest(pushes: false), 10),
            (SyncRequest(audits: true), 4),
        ]
        guard let outcome = await replica.sync(random.pick(weighted: calls) ?? .full) else { return }
        trace.note("\(replica.name) sync: \(outcome.short)")
        try checkWatchList(replica)
    }

    // MARK: Convergence

    /// Stops the faults, and then runs rounds. In each round, users answer all open decisions, and every replica syncs.
    /// Ends after two successive rounds that change nothing and leave no work.
    /// - Returns: false if `roundsMax` rounds do not suffice.
    private func settle() async throws -> Bool {
        trace.note("faults stop")
        server.returnsEmptyLists.withLock { $0 = false }
        server.lagging.withLock { $0 = nil }
        for replica in replicas {
            replica.transport.conditions.withLock { $0 = FaultyTransport.Conditions(isFaultFree: true) }
            replica.cancelCrash()
            // Restarts the replica. In runs of kind `timers`, a replica that still runs must recover without a restart.
            if replica.hasEnded || kind != .timers { try await replica.restart() }
        }
        time.advance(ms: 20_000 + Int(kind.settlingMs))
        await server.executeDelayedRequests()
        if let people { try await settle(people) }
        var quietRounds = 0
        for round in 0..<Self.roundsMax {
            var isQuiet = true
            for replica in replicas {
                if replica.hasEnded { try await replica.restart() }
                await decisions.decide(at: replica, share: 1)
                // In runs with a data fault, every replica audits in the first round: if a restored backup has only
                // reverted edits, only an audit detects it.
                let call = SyncRequest(audits: dataFault != nil && round == 0)
                guard let outcome = await (kind == .timers ? replica.ownSync() : replica.sync(call)) else { continue }
                try checkWatchList(replica)
                trace.note("\(replica.name) sync without faults: \(outcome.short)")
                if case .finished(let summary) = outcome, summary.moved == 0 {} else { isQuiet = false }
                if kind != .timers { time.advance(ms: 15_000) }
            }
            // Advances the clock by more than the engine's sync interval, so that the next sync is due.
            if kind == .timers { time.advance(ms: 61_000) }
            let isOpen = try await unsettled() != ""
            quietRounds = isQuiet && !isOpen ? quietRounds + 1 : 0
            if quietRounds == 2 { return true }
        }
        return false
    }

    /// Describes the work that is left in the replicas: pending changes, open decisions, and acknowledged writes that
    /// the server has not shown. Empty if no work is left.
    private func unsettled() async throws -> String {
        var words: [String] = []
        for replica in replicas {
            guard let store = replica.process?.store else { continue }
            let figures = try await store.figures()
            let unshown = figures.classes.reduce(0) { $0 + $1.unshown }
            let edits = try await unshownEdits(store.sync(as: .gateway))
            if figures.pending + figures.rejections + figures.conflicts + figures.removals + unshown + edits > 0 {
                words.append(
                    "\(replica.name): \(figures.pending) pending, \(figures.rejections) rejections, "
                        + "\(figures.conflicts) conflicts, \(figures.removals) removals, "
                        + "\(unshown) creates and \(edits) edits not shown yet")
            }
        }
        return words.joined(separator: "; ")
    }

    /// The number of objects with an acknowledged edit of which a sync has found only an older row. The engine waits
    /// some minutes for the newer row.
    private func unshownEdits(_ store: some SyncStore) async throws -> Int {
        var count = 0
        for className in try await store.classesWithUnseenWrites() {
            let writes = try await store.unseenWrites(of: className, max: 1000)
            count += writes.count { $0.standing == .acknowledged }
        }
        return count
    }
}

extension SyncOutcome {
    fileprivate var short: String {
        switch self {
        case .finished(let summary):
            "\(summary.pulled) pulled, \(summary.pushed) pushed, \(summary.removed) removed, "
                + "\(summary.conflicts) conflicts, \(summary.rejections) rejections, \(summary.deferred) deferred"
                + summary.warnings.map { ", \($0)" }.joined()
        case .paused: "paused"
        case .failed(let error): error.message
        }
    }
}

extension SyncSummary {
    fileprivate var moved: Int {
        pulled + pushed + removed + conflicts + settled + rejections + heldBack + deferred + (relationsLeft ? 1 : 0)
    }
}
