import Foundation
import HTTPServer
import HTTPTypes
import ParseModel
import StoreSupport
import Testing

@testable import GatewayAPI

/// A standalone gateway with one object whose access rights are tested, and further objects that refer to it.
struct RightsWorld {
    /// The callers. Ada owns the object. Rob is a member of the role `Editors`. Nina is a member of the role `Staff`,
    /// which is a member of `Editors`.
    enum Caller: String, CaseIterable {
        case everybody, ada, eve, rob, nina, master
    }

    static let marker = "s3cr3t"
    let client: AccountClient
    private(set) var ids: [Caller: String] = [:]
    private var tokens: [Caller: String] = [:]
    private(set) var secret = ""
    private(set) var probe = ""
    private(set) var team = ""
    private(set) var member = ""

    init() async throws {
        client = try AccountClient()
        for caller in [Caller.ada, .eve, .rob, .nina] {
            (ids[caller], tokens[caller]) = try await client.signUp(caller.rawValue)
        }
        let staff = try await create(
            "_Role", ["name": "Staff", "ACL": [:], "users": add("_User", id(of: .nina))])
        _ = try await create(
            "_Role",
            ["name": "Editors", "ACL": [:], "users": add("_User", id(of: .rob)), "roles": add("_Role", staff)])
        member = try await create("Member", ["n": 1])
        try await makeSecret()
    }

    /// Makes the tested object and the objects that refer to it again. The tested object has no ACL.
    mutating func makeSecret() async throws {
        for (className, id) in [("Secret", secret), ("Probe", probe), ("Team", team)] where !id.isEmpty {
            _ = try await client.send("DELETE", "/classes/\(className)/\(id)", master: true)
        }
        secret = try await create(
            "Secret",
            [
                "text": .string(Self.marker), "n": 7, "owner": pointer("_User", id(of: .ada)),
                "members": add("Member", member),
            ])
        probe = try await create(
            "Probe", ["to": pointer("Secret", secret), "n": 7, "list": [pointer("Secret", secret)]])
        team = try await create("Team", ["secrets": add("Secret", secret)])
    }

    func id(of caller: Caller) throws -> String { try #require(ids[caller]) }

    func pointer(_ className: String, _ id: String) -> JSONValue { Pointer(className: className, objectId: id).json }

    func add(_ className: String, _ id: String) -> JSONValue {
        ["__op": "AddRelation", "objects": [pointer(className, id)]]
    }

    @discardableResult
    func create(_ className: String, _ fields: JSONObject) async throws -> String {
        let answer = try await client.send("POST", "/classes/\(className)", fields, master: true)
        return try #require(answer.json["objectId"]?.string, "\(answer.json)")
    }

    func setACL(_ acl: JSONValue?) async throws {
        let acl = acl ?? ["*": ["read": true, "write": true]]
        _ = try await client.send("PUT", "/classes/Secret/\(secret)", ["ACL": acl], master: true)
    }

    func permit(_ permissions: JSONObject?) async throws {
        let body: JSONObject = ["classLevelPermissions": permissions.map(JSONValue.object) ?? .null]
        let answer = try await client.send("PUT", "/schemas/Secret", body, master: true)
        #expect(answer.status == 200, "\(answer.json)")
    }

    /// The tested object as the master key sees it; nil if it was deleted.
    func stored() async throws -> JSONObject? {
        let answer = try await client.send("GET", "/classes/Secret/\(secret)", master: true)
        return answer.status == 200 ? answer.json : nil
    }

    // MARK: Requests of a caller

    func send(
        _ caller: Caller, _ method: String, _ path: String, _ body: JSONObject? = nil, headers: [String: String] = [:]
    ) async throws -> AccountClient.Answer {
        try await client.send(
            method, path, body, as: tokens[caller], master: caller == .master, headers: headers)
    }

    func find(
        _ caller: Caller, _ className: String, _ parameters: JSONObject = [:]
    ) async throws -> AccountClient.Answer {
        var query: [String] = []
        for (name, value) in parameters {
            let text = value.string ?? value.jsonText
            query.append("\(name)=\(try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))")
        }
        let path = "/classes/\(className)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
        return try await send(caller, "GET", path)
    }

    /// The text of an export; empty if it is refused.
    func export(_ caller: Caller, _ target: String) async throws -> String {
        let key: AccountClient.TransferKey =
            caller == .master ? .master : tokens[caller].map { .session($0) } ?? .none
        let answer = try await client.transfer(.get, target, "", key)
        return answer.status == 200 ? answer.text : ""
    }

    /// The text of a change stream from the beginning of the feed to its end.
    func events(_ caller: Caller) async throws -> String {
        var headers: HTTPFields = [.accept: "text/event-stream"]
        headers[try #require(HTTPField.Name("Host"))] = "127.0.0.1:1338"
        headers[try #require(HTTPField.Name("X-Parse-Session-Token"))] = tokens[caller]
        headers[try #require(HTTPField.Name("X-Parse-Master-Key"))] =
            caller == .master ? AccountClient.masterKey : nil
        let reply = client.api.handle(
            HTTPServerRequest(
                method: .get, path: "/changes", query: "since=0&classes=Secret", headers: headers, body: []))
        guard case .stream(let stream) = await reply.response().content else { return "" }
        stream.setWaker {}
        defer { stream.closed() }
        var text = ""
        for _ in 0..<1000 {
            guard case .bytes(let bytes) = stream.next() else { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    /// Whether a live query of the class `Secret` gets the tested object when a write touches it.
    func liveEventShowsSecret(_ caller: Caller) async throws -> Bool {
        var rights: JSONObject = [:]
        if let token = tokens[caller] { rights["sessionToken"] = .string(token) }
        if caller == .master { rights["masterKey"] = .string(AccountClient.masterKey) }
        let probe = try await LiveProbe.connected(to: client.api, rights)
        defer { probe.vanish() }
        let answer = try await probe.subscribe(1, ["className": "Secret", "where": [:]])
        guard answer["op"] == "subscribed" else { return false }
        try await probe.subscribe(2, ["className": "Member", "where": [:]])
        let path = "/classes/Secret/\(secret)"
        _ = try await client.send("PUT", path, ["touched": ["__op": "Increment", "amount": 1]], master: true)
        // The gateway delivers all events of a change before it reads a later one. When the second event of the public class
        // is there, an event of the tested object would be there too.
        for _ in 1...2 {
            let count = probe.messages.count
            _ = try await client.send(
                "PUT", "/classes/Member/\(member)", ["n": ["__op": "Increment", "amount": 1]], master: true)
            _ = try await probe.message(after: count) { $0["requestId"] == 2 && $0["op"] == "update" }
        }
        return probe.messages.contains { $0.jsonText.contains(Self.marker) }
    }
}
