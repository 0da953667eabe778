import GatewayAPI
import HTTPServer
import HTTPTypes
import Logging
import ParseModel
import StoreService
import Synchronization
import Testing

/// The HTTP API of a gateway over an in-memory store, with short helpers for requests.
struct Gateway {
    let api: GatewayAPI
    let store: MemoryStore

    /// The ways in which a gateway can serve users.
    enum Users {
        case none
        case spaces(any UserSpaces)
        /// The API serves one user of a personal replica.
        case space(SpaceUser, of: any UserSpaces, storeId: String)
        case site(any UsersOfSite)
    }

    /// A standalone gateway, or a replica if it has a sync engine, a remote or users.
    /// - Parameters:
    ///   - tick: the time that passes between two reads of the clock.
    ///   - waits: controls the gateway's waits; nil for no waiting.
    ///   - log: collects the logged errors.
    static func make(
        store: MemoryStore = MemoryStore(), sync: FakeSync? = nil, remote: (any RemoteCalls)? = nil,
        users: Users = .none, audit: (any AuditTrail)? = nil, metrics: [any MetricsSource] = [],
        tick: Duration = .zero, waits: Waits? = nil, log: LogLines? = nil, report: (any ProgramReport)? = nil,
        _ change: (inout APIConfiguration) -> Void = { _ in }
    ) -> Gateway {
        let isStandalone = if case .none = users, sync == nil, remote == nil { true } else { false }
        var configuration = APIConfiguration(mode: isStandalone ? .standalone : .replica, version: "0.1.0")
        configuration.denialDetails = .shownOnThisMachine
        change(&configuration)
        let looks = Atomic(0)
        let environment = Environment(
            now: { ParseDate(milliseconds: 0) }, uptime: { tick * looks.add(1, ordering: .relaxed).newValue },
            random: { 0 },
            sleep: { try await waits?.pass($0) })
        var logger = log?.logger ?? Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        logger.logLevel = .debug
        let parts = APIParts(
            store: store, configuration: configuration, environment: environment, logger: logger, audit: audit,
            metrics: metrics, report: report)
        let ways = RemoteWays(control: sync ?? FakeSync(), calls: remote)
        let api: GatewayAPI =
            switch users {
            case .none: isStandalone ? Standalone.api(parts, accounts: nil) : Replica.api(parts, ways)
            case .spaces(let spaces): PersonalReplica.api(parts, ways, spaces)
            case .space(let user, let spaces, let storeId):
                UserSpace.api(parts, ways, user, of: spaces, storeId: storeId)
            case .site(let site): Site.api(parts, ways, site)
            }
        return Gateway(api: api, store: store)
    }

    /// - Parameters:
    ///   - line: method and path with its query, as in a request line: `GET /classes/Holiday?limit=2`.
    ///   - headers: headers besides `Host`, which defaults to the gateway's own.
    ///   - peer: the address of the client.
    func send(
        _ line: String, _ headers: [String: String] = [:], body: String = "", from peer: IPAddress = .loopback
    ) async -> Answer {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var fields: HTTPFields = [HTTPField.Name("Host")!: "127.0.0.1:1338"]
        for (name, value) in headers { fields[HTTPField.Name(name)!] = value }
        let request = HTTPServerRequest(
            method: HTTPRequest.Method(rawValue: parts[0])!, path: target[0], query: target.count > 1 ? target[1] : nil,
            headers: fields, body: Array(body.utf8), peer: peer)
        let reply = api.handle(request)
        let isAtHand = if case .now = reply { true } else { false }
        return Answer(response: await reply.response(), isAtHand: isAtHand)
    }
}

struct Answer {
    let response: HTTPServerResponse
    /// Whether the API answered synchronously.
    let isAtHand: Bool

    var status: Int { response.status.code }
    var text: String { String(decoding: response.body, as: UTF8.self) }
    var json: JSONValue { get throws { try JSONReader.read(response.body) } }
    func header(_ name: String) -> String? { response.headers[HTTPField.Name(name)!] }
}

/// Checks status and body of an answer.
func expect(
    _ answer: Answer, _ status: Int, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(answer.status == status, sourceLocation: sourceLocation)
    #expect(answer.text == text, sourceLocation: sourceLocation)
}
