import DatasyncRemote
import Foundation
import HTTPClient
import ParseRemote
import RemoteHTTP
import RemoteService
import SyncModel

/// A real server for the contract tests. The environment variable `TIDEGATE_CONTRACT_REMOTE` gives its URL and further
/// values, separated by spaces.
///
/// - A Parse Server: `https://host/parse appId=… restKey=… masterKey=…`.
/// - Tables: `https://host tables=Contract token=…`. The server must have the empty tables `Contract`, `ContractMember` and
///   `ContractClock` with the columns of the contract tests. The tests share the tables, so they run one after another.
struct OwnServer {
    static let variable = "TIDEGATE_CONTRACT_REMOTE"

    enum Kind {
        case parse(ParseRemote.Configuration)
        case datasync(url: String, tables: String, token: String?)
    }

    let kind: Kind

    static var isGiven: Bool { ProcessInfo.processInfo.environment[variable] != nil }

    /// An invalid `TIDEGATE_CONTRACT_REMOTE`. The reason does not quote its text, which contains keys.
    struct Malformed: Error { let reason: String }

    init() throws(Malformed) {
        try self.init(ProcessInfo.processInfo.environment[Self.variable] ?? "")
    }

    init(_ text: String) throws(Malformed) {
        let words = text.split(separator: " ")
        guard let url = words.first, url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw Malformed(reason: "\(Self.variable) must begin with the server's address")
        }
        var settings: [Substring: String] = [:]
        for word in words.dropFirst() {
            let parts = word.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, ["appId", "restKey", "masterKey", "tables", "token"].contains(parts[0]) else {
                throw Malformed(
                    reason: "behind the address stand appId=…, restKey=…, masterKey=…, tables=…, token=… only")
            }
            settings[parts[0]] = String(parts[1])
        }
        if let tables = settings["tables"] {
            guard settings["appId"] == nil else { throw Malformed(reason: "appId=… and tables=… exclude each other") }
            kind = .datasync(url: String(url), tables: tables, token: settings["token"])
        } else if let applicationId = settings["appId"] {
            kind = .parse(
                ParseRemote.Configuration(
                    serverURL: String(url), applicationId: applicationId, restKey: settings["restKey"],
                    masterKey: settings["masterKey"], replicaId: "contract"))
        } else {
            throw Malformed(reason: "appId=… or tables=… is missing")
        }
    }

    /// Makes the remote for a contract test that uses this class or table.
    func subject(_ className: String) -> ContractSubject {
        // Port 1 (tcpmux) is practically never open, so a connection to it fails.
        let closed = "http://127.0.0.1:1"
        switch kind {
        case .parse(let configuration):
            let transport = CurlTransport()
            var unreachable = configuration
            unreachable.serverURL = closed + "/parse"
            var wrong = configuration
            wrong.applicationId += "-of-nobody"
            wrong.restKey = wrong.restKey.map { $0 + "-of-nobody" }
            wrong.masterKey = wrong.masterKey.map { $0 + "-of-nobody" }
            return ContractSubject(
                remote: ParseRemote(configuration: configuration, transport: transport), className: className,
                advance: nil, withWrongKeys: ParseRemote(configuration: wrong, transport: transport),
                unreachable: ParseRemote(configuration: unreachable, transport: transport), resources: [])
        case .datasync(let url, let tables, let token):
            let remote = { (url: String, token: String?) in
                DatasyncRemote(
                    configuration: .init(
                        serverURL: url, token: token.map { FixedToken($0) },
                        mapping: { name in ClassMapping(table: "/tables/\(tables)\(name.dropFirst(className.count))") }),
                    transport: CurlTransport())
            }
            return ContractSubject(
                remote: remote(url, token), className: className, advance: nil,
                withWrongKeys: token.map { remote(url, $0 + "-of-nobody") }, unreachable: remote(closed, token),
                resources: [])
        }
    }
}

/// Lets the contract tests of a real table server run one after another, because they share its tables.
actor OwnServerTurns {
    static let shared = OwnServerTurns()

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin() async {
        if isTaken { return await withCheckedContinuation { waiting.append($0) } }
        isTaken = true
    }

    func end() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
