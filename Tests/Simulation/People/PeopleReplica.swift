import Gateway
import GatewayAPI
import HTTPServer
import HTTPTypes
import HeaderNames
import LocalStore
import Logging
import ParseModel
import RemoteService
import SyncModel
import Synchronization

/// A gateway without a socket, through several starts and ends of its process.
final class PeopleReplica: Sendable {
    /// The settings of a replica in a run.
    struct Settings: Sendable, CustomStringConvertible {
        let product: PeopleProduct
        let keepsAfterLogOut: Bool
        let idleMaxS: Int
        let offlineSessionMaxS: Int
        let usersMax: Int
        let sendsAsMaster: Bool
        let hasOfflineLogIn: Bool
        /// The number of whole rows of a class that one sync reads to detect changed rights to fields, unless more rows
        /// are needed to cover all fields.
        let fieldCanariesMax: Int

        init(_ random: PartyRandom, _ product: PeopleProduct) {
            self.product = product
            keepsAfterLogOut = random.chance(0.3)
            idleMaxS = random.pick([40, 600]) ?? 600
            offlineSessionMaxS = random.pick([900, 7 * 86_400, 7 * 86_400]) ?? 900
            usersMax = random.pick([2, 20, 20]) ?? 20
            sendsAsMaster = product.canSendAsMaster && random.chance(0.3)
            hasOfflineLogIn = random.chance(0.7)
            fieldCanariesMax = random.pick([2, 12]) ?? 12
        }

        var description: String {
            "\(product) \(keepsAfterLogOut ? "keep" : "push") idle \(idleMaxS) offline \(offlineSessionMaxS) users \(usersMax) rows \(fieldCanariesMax)\(sendsAsMaster ? " as master" : "")\(hasOfflineLogIn ? " offline log-in" : "")"
        }
    }

    /// A request to the replica, of a user or with the local master key.
    struct Request: Sendable {
        var method = HTTPRequest.Method.get
        var path: String
        var query: String?
        var body: JSONObject?
        var token: String?
        var isMaster = false
        /// Whether the replica must send the call at once, before earlier writes.
        var isUrgent = false
    }

    struct Answer: Sendable {
        let status: Int
        /// The body; nil if it is not JSON.
        let body: JSONValue?
        /// Whether the replica has answered a log-in by itself, without the remote.
        let isOffline: Bool

        var json: JSONObject? { body?.object }
        var code: Int? { json?["code"]?.int }
        var isSuccess: Bool { status == 200 || status == 201 }
    }

    /// A running process of the replica.
    struct Running: Sendable {
        let process: PeopleProcess
        let stores: PeopleStores
        let gateway: ServedGateway
    }

    static let masterKey = "local"
    /// The number of objects of a class that one sync compares with the server. It is small, so that a comparison of
    /// all objects takes several syncs.
    static let watchedMax = 4

    let name: String
    let settings: Settings
    let network = PeopleTransport.Network()
    private let directory: String
    private let server: PeopleServer
    private let time: PeopleTime
    private let clock: PartyClock
    private let random: PartyRandom
    private let networkRandom: PartyRandom
    private let trace: Trace
    private let sabotage: Sabotage?
    private let beliefs: PeopleBeliefs
    private let running = Mutex<Running?>(nil)

    /// - Parameter beliefs: receives the facts that the replica learns from the server's answers.
    init(
        index: Int, directory: String, server: PeopleServer, time: PeopleTime, seed: UInt64, product: PeopleProduct,
        trace: Trace, sabotage: Sabotage?, beliefs: PeopleBeliefs
    ) {
        name = "replica\(index)"
        self.directory = directory
        self.server = server
        self.time = time
        self.trace = trace
        self.sabotage = sabotage
        self.beliefs = beliefs
        random = PartyRandom(seed: seed, of: name)
        networkRandom = PartyRandom(seed: seed, of: "network\(index)")
        settings = Settings(PartyRandom(seed: seed, of: "settings\(index)"), product)
        clock = PartyClock(time.time, offsetMs: Int64(random.within(-60_000...60_000)))
    }

    var current: Running? { running.withLock { $0 } }
    var hasEnded: Bool { current?.process.hasEnded ?? true }
    var stores: PeopleStores? { current?.stores }
    var product: PeopleProduct { settings.product }

    // MARK: Process

    func start() async throws {
        let process = PeopleProcess()
        let stores = PeopleStores(of: process, sabotage: sabotage) { [name, trace, beliefs] before, after, event in
            trace.detail("\(name) \(LifeTrace(event: event, after: after))")
            for line in StepTable.violations(from: before, to: after, by: event) {
                beliefs.addFinding("\(after.className) \(after.objectId): \(line)")
            }
        }
        let transport = PeopleTransport(
            network, of: process, to: server, time: time, random: networkRandom, name: name, trace: trace,
            keepsFailures: sabotage == .circuitKept
        ) { [beliefs] in beliefs.note($1, to: $0) }
        let factory = RemoteFactory().registering(.parse, needsApplicationId: true) { [sabotage] setup in
            let remote = RemoteFactory.parseRemote(setup, transport: transport)
            guard let sabotage, [.portalBelieved, .sessionEndRefusesFile].contains(sabotage) else { return remote }
            return SabotagedRemote(remote: remote, sabotage: sabotage)
        }
        let gateway = try await ServedGateway(
            configuration, stores: stores, remotes: factory, environment: environment, audit: NoAudit(),
            logger: trace.logger(named: name))
        running.withLock { $0 = Running(process: process, stores: stores, gateway: gateway) }
        gateway.start()
    }

    /// Ends the process, by a crash or by an orderly shutdown.
    func end(isCrash: Bool) async {
        guard let stores = await stop(isCrash: isCrash) else { return }
        // The remaining requests end now, and release the files. A request that waits for the remote ends at its time
        // limit.
        for _ in 0..<Self.releasesMax {
            await time.pass(ms: 2500)
            if stores.all.isEmpty { break }
        }
        if !stores.all.isEmpty { beliefs.addFinding("the files are not released after the end of the process") }
        beliefs.processHasEnded(isCrash: isCrash)
    }

    /// The maximum number of waits until the files are released.
    private static let releasesMax = 16

    /// Stops the gateway, and ends the process.
    /// - Returns: the stores of the process; nil if none was running.
    private func stop(isCrash: Bool) async -> PeopleStores? {
        guard let running = running.withLock({ $0.take() }) else { return nil }
        if isCrash { running.process.end() }
        let gateway = running.gateway
        let hasStopped: Bool? = await time.run(msMax: 20_000) {
            await gateway.stop()
            return true
        }
        if hasStopped == nil { beliefs.addFinding("the process does not stop") }
        running.process.end()
        return running.stores
    }

    func scheduleCrash() {
        let count = random.within(1...6)
        let isBefore = random.chance(0.5)
        trace.note("\(name) will end \(isBefore ? "before" : "after") commit \(count)")
        current?.process.scheduleCrash(afterCommits: count, isBefore: isBefore)
    }

    private var environment: Environment {
        var environment = clock.environment(random)
        environment.executor = time.executor
        environment.sleep = { [time] span in
            try await time.timers.wait(until: (ParseDate(milliseconds: time.nowMs) + span).milliseconds, .timer)
        }
        return environment
    }

    private var configuration: GatewayConfiguration {
        var configuration = GatewayConfiguration(dataDirectory: directory + "/data")
        configuration.remote = GatewayConfiguration.Remote(
            url: PeopleServer.url, applicationId: "simulation",
            masterKey: product.remoteMasterKey)
        configuration.classes = PeopleServer.classes
        configuration.synchronous = .normal
        configuration.scrubBounds = Self.watchedMax...Self.watchedMax
        configuration.fieldCanariesMax = settings.fieldCanariesMax
        configuration.diskFreeMin = 0
        // The watch for stalls has a timer, which would change the order of the tasks for each seed.
        configuration.stallAlarm = nil
        configuration.localKeys.masterKey = Secret(Self.masterKey)
        configuration.accounts.passwordStrength = .weakest
        configuration.people.mode = product.mode
        configuration.people.offlineLogIn = settings.hasOfflineLogIn
        configuration.people.afterLogOut = settings.keepsAfterLogOut ? .keep : .push
        configuration.people.idleMax = .seconds(settings.idleMaxS)
        configuration.people.offlineSessionMax = .seconds(settings.offlineSessionMaxS)
        configuration.people.usersMax = settings.usersMax
        configuration.people.sendsAsMaster = settings.sendsAsMaster
        configuration.people.sessionKeyFile = directory + "/key/session-key"
        return configuration
    }

    // MARK: Requests

    /// Sends a request, and lets simulated time pass until its answer arrives.
    /// - Parameter check: called with the answer before any other task runs.
    /// - Returns: nil if the process ends before the answer.
    func send(_ request: Request, check: @escaping @Sendable (Answer) -> Void = { _ in }) async -> Answer? {
        guard let running = current, !running.process.hasEnded else { return nil }
        let http = Self.http(request)
        let answer = await time.run(msMax: 120_000) {
            let response = await running.gateway.api.handle(http).response()
            let answer = Answer(
                status: response.status.code, body: try? JSONReader.read(response.body),
                isOffline: response.headers[.tidegateOffline] == "true")
            if !running.process.hasEnded { check(answer) }
            return answer
        }
        trace.note(
            "\(name) \(request.method.rawValue) \(request.path) \(request.token?.suffix(6) ?? ""): \(answer?.status ?? 0) \(answer?.code ?? 0)"
        )
        if running.process.hasEnded { return nil }
        if answer == nil { beliefs.addFinding("\(request.method.rawValue) \(request.path) is not answered") }
        return answer
    }

    private static func http(_ request: Request) -> HTTPServerRequest {
        var headers: HTTPFields = [.hostName: "localhost", .parseApplicationId: "simulation"]
        headers[.parseSessionToken] = request.token
        if request.isMaster { headers[.parseMasterKey] = masterKey }
        if request.isUrgent { headers[.tidegateForward] = "now" }
        if request.body != nil { headers[.contentType] = "application/json" }
        return HTTPServerRequest(
            method: request.method, path: request.path, query: request.query, headers: headers,
            body: request.body?.jsonBytes ?? [])
    }

    private struct NoAudit: AuditTrail {
        func note(_ event: AuditEvent) {}
    }
}
