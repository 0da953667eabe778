import Foundation
import GatewayAPI
import HTTPClient
import HTTPServer
import HTTPTypes
import HeaderNames
import LocalStore
import Logging
import ParseModel
import StoreService
import Synchronization

/// The remote of a run: a standalone gateway without a socket, and a record of every state that it has held.
final class SimulatedServer: Sendable {
    /// The server's settings in a run: random, except where the kind or the data fault of the run requires a value.
    struct Settings: Sendable {
        var allowsChosenIds: Bool
        /// The largest number of rows in one answer.
        var pageMax: Int
        /// The longest time in milliseconds between the timestamp and the commit of a replica's write.
        var commitDelayMaxMs: Int
        /// Whether the server may return empty lists by mistake.
        var mayReturnEmptyLists: Bool
        /// The time after which the sessions of users end, in runs of kind `people`.
        var sessionLength = AccountSettings().sessionLength

        init(_ random: PartyRandom, _ dataFault: DataFault?, _ kind: SeedKind) {
            allowsChosenIds = random.chance(0.5)
            pageMax = random.pick([2, 3, 7, 1000]) ?? 1000
            commitDelayMaxMs = random.chance(0.5) ? 7000 : 0
            mayReturnEmptyLists = random.chance(0.4)
            // The delays of a late commit and of a lagging copy could add up to more than the engine's grace period.
            if dataFault == .laggingLists { commitDelayMaxMs = 0 }
            if dataFault != nil || kind.hasTables { mayReturnEmptyLists = false }
            if kind.hasTables { allowsChosenIds = true }
            if kind == .people { (commitDelayMaxMs, mayReturnEmptyLists) = (0, false) }
        }
    }

    private struct DelayedRequest: Sendable {
        let dueMs: Int64
        let party: String
        let execute: @Sendable (ServerHistory.Sender) async -> Void
    }

    /// The name of the server as a party, that is, as a place where users write. Used in the ledger and the history.
    static let name = "server"

    /// A store, and the API of a gateway with this store.
    struct Instance: Sendable {
        let store: LocalStore
        let api: GatewayAPI
    }

    let settings: Settings
    let behaviour: Behaviour
    let dataFault: DataFault?
    let history = Mutex(ServerHistory())
    /// Whether the server currently answers every list request with an empty list, although it has objects.
    let returnsEmptyLists = Mutex(false)
    /// The server's objects as rows with versions and tombstones. Only runs of kind `tables` read these rows.
    let rowStates = Mutex(RowStates())
    /// The HTTP interface of the tables protocol, in runs in which the replicas use it. Nil for a Parse API.
    let tables: SimulatedTables?
    /// The rules of a strict server; nil in runs of other kinds.
    private let strict: StrictServer?
    /// Lets the server execute one request at a time. A replica may send several requests at once.
    private let turns = RequestTurns()
    private let instance: Mutex<Instance>
    /// The outdated copy of the server that answers reads; nil if the server itself answers reads.
    let lagging = Mutex<Lagging?>(nil)
    private let makeInstance: @Sendable (_ directory: String) throws -> Instance
    private let directory: String
    private let directoryCount = Mutex(0)
    private let time: SimulatedTime
    private let random: PartyRandom
    private let dataFaultRandom: PartyRandom
    /// Called when the server loses an object that a request of `party` has created.
    let onLoss = Mutex<@Sendable (_ party: String, _ className: String, _ objectId: String) -> Void>({ _, _, _ in })
    /// The time in milliseconds by which the current write's timestamp precedes its commit.
    private let commitDelay: CommitDelay
    private let delayedRequests = Mutex<[DelayedRequest]>([])
    private let trace: Trace
    /// The users of the server. Empty except in runs of the kinds `site` and `people`.
    let users = UserRegister()

    private final class CommitDelay: Sendable {
        let ms = Mutex<Int64>(0)
    }

    /// - Parameters:
    ///   - dataFaultRandom: the random stream of the data faults.
    ///   - executor: runs all work of the server; nil to use threads.
    init(
        directory: String, settings: Settings, time: SimulatedTime, random: PartyRandom, trace: Trace,
        behaviour: Behaviour,
        dataFault: DataFault?, dataFaultRandom: PartyRandom, tables: TablesSettings?,
        executor: SerialTaskExecutor? = nil
    ) throws {
        self.tables = tables.map(SimulatedTables.init)
        self.settings = settings
        self.behaviour = behaviour
        self.time = time
        self.random = random
        strict = StrictServer(behaviour.kind, random)
        self.trace = trace
        self.directory = directory
        self.dataFault = dataFault
        self.dataFaultRandom = dataFaultRandom
        let commitDelay = CommitDelay()
        self.commitDelay = commitDelay
        var environment = PartyClock(time).environment(random)
        environment.now = { ParseDate(milliseconds: time.nowMs - commitDelay.ms.withLock { $0 }) }
        environment.executor = executor
        var limits = RequestLimits()
        limits.pageMax = settings.pageMax
        let hasUsers = behaviour.kind == .site || behaviour.kind == .people
        makeInstance = { [environment, limits] directory in
            var configuration = StoreConfiguration(
                directory: directory, identity: StoreIdentity(remote: nil))
            configuration.synchronous = .normal
            configuration.allowsChosenIds = settings.allowsChosenIds
            configuration.keepsStampsInOrder = false
            configuration.refusesLockedUsers = false
            configuration.takesOver = true
            // Each write is committed at once, while `commitDelay` still has the value for this write.
            configuration.executor = .deterministic { $0() }
            let store = try LocalStore(configuration, environment: environment)
            var api = APIConfiguration(mode: .standalone, version: "simulation", limits: limits)
            if hasUsers { api.keys.masterKey = UserRegister.masterKey }
            api.accounts.sessionLength = settings.sessionLength
            api.accounts.passwordStrength = .weakest
            let gateway = Standalone.api(
                APIParts(
                    store: store.objects, configuration: api, environment: environment,
                    logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }),
                accounts: hasUsers ? store.accounts : nil)
            return Instance(store: store, api: gateway)
        }
        instance = Mutex(try makeInstance(directory))
    }

    var store: LocalStore { instance.withLock { $0.store } }
    var nowMs: Int64 { time.nowMs }

    func passMillisecond() { time.advance(ms: 1) }

    /// The path for the next copy of the server's files: the path of the first directory, a hyphen, and the next
    /// number.
    func nextDirectory() -> String {
        directoryCount.withLock { count in
            count += 1
            return "\(directory)-\(count)"
        }
    }

    func instance(in directory: String) throws -> Instance { try makeInstance(directory) }

    /// Replaces the server's store and API: opens the database file in the given directory.
    func reopen(in directory: String) throws {
        let next = try makeInstance(directory)
        instance.withLock { $0 = next }
    }

    // MARK: Requests

    /// Executes all delayed requests that are due, then this request.
    func answer(_ request: HTTPClientRequest, by sender: ServerHistory.Sender) async -> HTTPClientResponse {
        await turns.run {
            await executeDelayed()
            return await execute(request, by: sender)
        }
    }

    /// Whether a request only reads. In the Parse API, all repeatable requests are reads.
    func isRead(_ request: HTTPClientRequest) -> Bool {
        tables == nil ? request.isRepeatable : request.method == .get
    }

    /// Lets the server execute a request after `delayMs` milliseconds, when its sender no longer waits for the answer.
    func deliverLater(_ request: HTTPClientRequest, of party: String, afterMs delayMs: Int) {
        deliverLater(of: party, afterMs: delayMs) { [weak self] sender in
            _ = await self?.execute(request, by: sender)
        }
    }

    func deliverLater(
        of party: String, afterMs delayMs: Int, _ execute: @escaping @Sendable (ServerHistory.Sender) async -> Void
    ) {
        delayedRequests.withLock {
            $0.append(DelayedRequest(dueMs: time.nowMs + Int64(delayMs), party: party, execute: execute))
        }
    }

    func executeDelayedRequests() async { await turns.run { await executeDelayed() } }

    private func executeDelayed() async {
        while let next = delayedRequests.withLock({ requests in
            let due = requests.indices.filter { requests[$0].dueMs <= time.nowMs }
                .min { requests[$0].dueMs < requests[$1].dueMs }
            return due.map { requests.remove(at: $0) }
        }) {
            trace.note("a delayed request arrives")
            commitDelay.ms.withLock { $0 = time.nowMs - next.dueMs }
            await next.execute(ServerHistory.Sender(party: next.party, isLate: true))
            commitDelay.ms.withLock { $0 = 0 }
        }
    }

    private func execute(_ request: HTTPClientRequest, by sender: ServerHistory.Sender) async -> HTTPClientResponse {
        guard let strict else { return await perform(request, by: sender) }
        var answer = await strict.answer(request, in: store.objects) { await perform($0, by: sender) }
        answer.headers = dated(answer.headers)
        return answer
    }

    private func perform(_ request: HTTPClientRequest, by sender: ServerHistory.Sender) async -> HTTPClientResponse {
        if let failure = behaviour.failure(over: request) {
            return HTTPClientResponse(
                status: .init(code: failure.status), headers: dated([:]), body: Array(failure.body.utf8))
        }
        let isLate = commitDelay.ms.withLock { $0 } != 0
        if !isLate, settings.commitDelayMaxMs > 0, !isRead(request), random.chance(0.4) {
            commitDelay.ms.withLock { $0 = Int64(random.below(settings.commitDelayMaxMs)) }
        }
        if let tables {
            let answer = await tables.answer(request, of: sender.party, at: stamp) { write in
                if case .success = await self.execute(write, by: sender) { true } else { false }
            }
            if !isLate { commitDelay.ms.withLock { $0 = 0 } }
            return HTTPClientResponse(status: answer.status, headers: dated(answer.headers), body: answer.body)
        }
        let (path, query) = Self.target(of: behaviour.executedURL(of: request))
        var headers = request.headers
        headers[.hostName] = "localhost"
        let response = await api(for: request).handle(
            HTTPServerRequest(
                method: request.method, path: path, query: query, headers: headers, body: request.wholeBody)
        ).response()
        if !isLate { commitDelay.ms.withLock { $0 = 0 } }
        observe(sender.acting(as: author(of: request)))
        if dataFault == .lostCreates, !request.isRepeatable { await loseCreates(acknowledgedTo: sender.party) }
        return HTTPClientResponse(status: response.status, headers: dated(response.headers), body: response.body)
    }

    /// The user whose session a request carries; nil for a request with the master key.
    private func author(of request: HTTPClientRequest) -> String? {
        guard request.headers[.parseMasterKey] == nil, let token = request.headers[.parseSessionToken] else {
            return nil
        }
        return users.user(ofSession: token)
    }

    /// The API that answers a request. A read is answered by the outdated copy, if there is one, until the copy is too
    /// old.
    private func api(for request: HTTPClientRequest) -> GatewayAPI {
        let now = time.nowMs
        let copy = lagging.withLock { lagging in
            if let since = lagging?.sinceMs, now - since > DataFault.lagMaxMs { lagging = nil }
            return lagging
        }
        guard let copy, request.isRepeatable else { return instance.withLock { $0.api } }
        return copy.instance.api
    }

    /// Deletes some of the objects that a party has just created, as a rollback of the database would.
    private func loseCreates(acknowledgedTo party: String) async {
        let made = history.withLock { $0.takeCreates(by: party) }
        for entry in made where dataFaultRandom.chance(DataFault.lossShare) {
            trace.note("the server loses \(entry.className) \(entry.objectId)")
            onLoss.withLock { $0 }(party, entry.className, entry.objectId)
            _ = await store.objects.perform(
                [.delete(className: entry.className, objectId: entry.objectId)], as: .master, atomically: false)
            history.withLock { $0.forgetCreate(of: entry.objectId) }
            observe(ServerHistory.Sender(party: Self.name, isLate: true))
        }
    }

    /// Executes a write of a user who works on the server directly.
    func write(_ request: WriteRequest) async -> Result<WriteReceipt, any Error> {
        await turns.run {
            await executeDelayed()
            commitDelay.ms.withLock { $0 = commitDelayMs(of: request) }
            let result = await execute(request, by: ServerHistory.Sender(party: Self.name))
            commitDelay.ms.withLock { $0 = 0 }
            return result
        }
    }

    /// The timestamp of the current write.
    private var stamp: ParseDate { ParseDate(milliseconds: time.nowMs - commitDelay.ms.withLock { $0 }) }

    func execute(_ request: WriteRequest, by sender: ServerHistory.Sender) async -> Result<WriteReceipt, any Error> {
        let result = await store.objects.perform([request], as: .master, atomically: false)[0]
        observe(sender)
        return result
    }

    private func commitDelayMs(of request: WriteRequest) -> Int64 {
        var updatedAt: ParseDate?
        switch request {
        case .create: break
        case .update(let className, let objectId, _, _), .delete(let className, let objectId, _):
            let object = (try? store.objects.object(className, objectId, as: .master)).flatMap { $0 }.flatMap {
                try? JSONReader.read($0.json)
            }
            updatedAt = object?.object?["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
        }
        return behaviour.commitDelayMs(after: updatedAt, now: ParseDate(milliseconds: time.nowMs))
    }

    func dated(_ headers: HTTPFields) -> HTTPFields {
        var headers = headers
        headers[.date] = ParseDate(milliseconds: time.nowMs).httpDate
        return headers
    }

    private static func target(of url: String) -> (path: String, query: String?) {
        let rest = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true).last.map(String.init) ?? ""
        let target = rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    /// The content of the file in a changed object; nil if the object has no file, or if the server lacks the content.
    private func fileContent(in entry: ChangeEntry) -> String? {
        let object = entry.json.flatMap { try? JSONReader.read($0).object }
        guard let name = object?[ServerHistory.fileField]?.object?["name"]?.string,
            let file = try? store.objects.files.file(name, as: .master),
            let path = store.objects.files.contentPath(of: file)
        else { return nil }
        return FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: History

    private func observe(_ sender: ServerHistory.Sender) {
        history.withLock { history in
            guard let page = try? store.objects.changes(since: history.seen, classes: nil, limit: 1000, as: .master)
            else {
                return
            }
            history.seen = page.next
            for entry in page.entries {
                history.add(entry, by: sender)
                rowStates.withLock { $0.note(entry, at: ParseDate(milliseconds: time.nowMs)) }
                tables?.note(entry, at: stamp, isOwn: sender.party == Self.name)
                guard let title = history.title(of: entry.objectId), let content = fileContent(in: entry) else {
                    continue
                }
                history.note(content, in: ServerHistory.fileField, of: title)
            }
        }
    }
}
