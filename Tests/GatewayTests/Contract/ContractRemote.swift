import DatasyncRemote
import Foundation
import HTTPClient
import ParseModel
import ParseRemote
import RemoteHTTP
import RemoteService
import TablesServer
import Testing

/// The remotes that must pass the contract tests. Add every new implementation of `RemoteService` here.
enum ContractRemote: String, CaseIterable, CustomTestStringConvertible {
    case parse = "a Parse Server"
    case parseWithChosenIds = "a Parse Server that accepts chosen ids"
    case parseWithSmallPages = "a Parse Server that gives three rows at a time"
    case tables = "tables"
    case tablesWithSmallPages = "tables that give three rows at a time"
    case azure = "Azure Mobile Apps"
    case azureWithSmallPages = "Azure Mobile Apps that give three rows at a time"
    case azureWithoutTombstones = "Azure Mobile Apps without tombstones"
    case community = "Community Datasync"
    case communityWithSmallPages = "Community Datasync that gives three rows at a time"
    case communityWithoutTombstones = "Community Datasync without tombstones"
    /// A real server over the network, which the environment variable `TIDEGATE_CONTRACT_REMOTE` names.
    case ownServer = "the server of TIDEGATE_CONTRACT_REMOTE"

    static let all = allCases.filter { $0 != .ownServer || OwnServer.isGiven }

    var testDescription: String { rawValue }

    /// Runs a contract test in a class, or table, that is empty before and after it.
    /// - Parameters:
    ///   - variant: the name of a variant of the test. Each variant uses a class of its own.
    ///   - test: the name of the test, from which the class gets its name.
    func hold(
        variant: String = "", test: String = #function, _ body: (ContractSubject) async throws -> Void
    ) async throws {
        // PostgreSQL truncates table names to 63 bytes.
        let className = "TidegateContract_" + test.prefix { $0 != "(" }.prefix(30) + variant
        switch self {
        case .parse: try await body(try .parse(className))
        case .parseWithChosenIds: try await body(try .parse(className, allowsChosenIds: true))
        case .parseWithSmallPages: try await body(try .parse(className, pageMax: 3))
        case .tables: try await body(.tables(className))
        case .tablesWithSmallPages: try await body(.tables(className, pageMax: 3))
        case .azure: try await body(try .datasync(className, .azure))
        case .azureWithSmallPages: try await body(try .datasync(className, .azure, pageMax: 3))
        case .azureWithoutTombstones: try await body(try .datasync(className, .azure, keepsTombstones: false))
        case .community: try await body(try .datasync(className, .community))
        case .communityWithSmallPages: try await body(try .datasync(className, .community, pageMax: 3))
        case .communityWithoutTombstones: try await body(try .datasync(className, .community, keepsTombstones: false))
        case .ownServer:
            let server = try OwnServer()
            if case .parse = server.kind { return try await Self.hold(server.subject(className), body) }
            await OwnServerTurns.shared.begin()
            let result: Result<Void, any Error>
            do { result = .success(try await Self.hold(server.subject(className), body)) } catch {
                result = .failure(error)
            }
            await OwnServerTurns.shared.end()
            try result.get()
        }
    }

    /// Runs a test on a real server, whose class is emptied before and after the test.
    private static func hold(
        _ subject: ContractSubject, _ body: (ContractSubject) async throws -> Void
    ) async throws {
        try await subject.empty()
        let result: Result<Void, any Error>
        do { result = .success(try await body(subject)) } catch { result = .failure(error) }
        try await subject.empty()
        try result.get()
    }
}

extension ContractSubject {
    fileprivate static func parse(
        _ className: String, allowsChosenIds: Bool = false, pageMax: Int = 1000
    ) throws -> ContractSubject {
        let clock = TestClock()
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let hub = try Hub(directories[0], clock: clock, pageMax: pageMax, allowsChosenIds: allowsChosenIds)
        let locked = try Hub(directories[1], clock: clock, accessKey: "another key")
        let unplugged = HandlerTransport(hub.api, clock: clock)
        unplugged.set { _, _, _ in .refused }
        let configuration = ParseRemote.Configuration(
            serverURL: "http://localhost:1337/parse", applicationId: "app", restKey: "rest", replicaId: "contract")
        return ContractSubject(
            remote: ParseRemote(configuration: configuration, transport: HandlerTransport(hub.api, clock: clock)),
            className: className, advance: { clock.advance(.seconds(3)) },
            withWrongKeys: ParseRemote(
                configuration: configuration, transport: HandlerTransport(locked.api, clock: clock)),
            unreachable: ParseRemote(configuration: configuration, transport: unplugged), resources: directories)
    }

    fileprivate static func tables(_ className: String, pageMax: Int = 50) -> ContractSubject {
        let clock = TestClock()
        return ContractSubject(
            remote: TableRemote(clock: clock, pageMax: pageMax), className: className,
            advance: { clock.advance(.seconds(3)) }, withWrongKeys: TableRemote(clock: clock, isLocked: true),
            unreachable: nil, resources: [])
    }

    /// A table server of the Datasync protocol over real HTTP. Its clock can advance by parts of a millisecond.
    fileprivate static func datasync(
        _ className: String, _ dialect: TablesServer.Dialect, pageMax: Int? = nil, keepsTombstones: Bool = true
    ) throws -> ContractSubject {
        let clock = TestClock()
        let tables = [className, className + "Member", className + "Clock"].map { name in
            var table = TablesServer.Table(name, dialect: dialect)
            table.pageSize = pageMax ?? table.pageSize
            table.keepsTombstones = keepsTombstones
            table.needsToken = true
            return table
        }
        let server = try TablesServer(
            dialect, tables: tables, users: .init(tokens: ["token": "alice"]),
            now: { clock.environment.now().milliseconds * 1000 })
        let remote = { (url: String, token: String) in
            DatasyncRemote(
                configuration: .init(serverURL: url, token: FixedToken(token)), transport: CurlTransport())
        }
        return ContractSubject(
            remote: remote(server.url, "token"), className: className, advance: { clock.advance(.seconds(3)) },
            withWrongKeys: remote(server.url, "wrong"),
            // Port 1 (tcpmux) is practically never open, so a connection to it fails.
            unreachable: remote("http://127.0.0.1:1", "token"), resources: [], server: server)
    }
}
