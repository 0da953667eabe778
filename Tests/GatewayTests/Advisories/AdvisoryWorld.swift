import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import Testing

@testable import Gateway

/// A gateway in one of the modes, with the objects and users of `AdvisoryData`. It has no socket, and a replica never syncs.
final class AdvisoryWorld {
    /// The answer to a request.
    struct Answer {
        let status: Int
        let text: String
        let headers: HTTPFields
        var json: JSONObject { (try? JSONReader.read(text).object) ?? [:] }
    }

    static let masterKey = "the master key"
    static let readOnlyMasterKey = "the read-only master key"

    let mode: AdvisoryMode
    let remote = AdvisoryRemote()
    private let directories: [TemporaryDirectory]
    private let apis: [AdvisoryRequest.Door: GatewayAPI]
    /// The values for which the names in braces (`{name}`) stand in probes.
    private var values = ["marker": AdvisoryData.marker]
    private var tokens: [AdvisoryRequest.Caller: String] = [:]

    init(_ mode: AdvisoryMode) async throws {
        self.mode = mode
        directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        apis = try await AdvisoryGateways(mode, remote, in: directories).apis()
        if mode == .standalone {
            for name in AdvisoryData.users { try await signUp(name) }
        } else {
            for name in AdvisoryData.users { values[name.rawValue] = name.rawValue }
            // Only a site replica has sessions for all users: a replica without users refuses sessions, and the
            // personal one serves only Eve.
            if mode == .site { for name in AdvisoryData.users { tokens[name] = name.rawValue } }
            if mode == .personal { tokens[.eve] = "eve" }
        }
        try await fill()
    }

    private func signUp(_ caller: AdvisoryRequest.Caller) async throws {
        let name = caller.rawValue
        let user = #"{"username":"\#(name)","password":"secret","email":"\#(name)@example.org"}"#
        let answer = try await send(AdvisoryProbe.post("/users", user).by(.everybody))
        values[name] = try #require(answer.json["objectId"]?.string, "\(answer.text)")
        let token = try #require(answer.json["sessionToken"]?.string)
        (tokens[caller], values[name + "Token"]) = (token, token)
    }

    private func fill() async throws {
        if mode == .standalone {
            for schema in AdvisoryData.schemas {
                let body = try #require(schema.json["classLevelPermissions"]).jsonText
                let fields = JSONObject(schema.added.map { ($0.key, .object($0.value.json)) }).jsonText
                try await need(
                    .post("/schemas/\(schema.className)", #"{"fields":\#(fields),"classLevelPermissions":\#(body)}"#),
                    200)
            }
            for role in AdvisoryData.roles { try await keep(role.name, of: .post("/roles", role.body)) }
            try await need(.put("/config", AdvisoryData.config), 200)
        }
        for object in AdvisoryData.objects {
            try await keep(object.name, of: .post("/classes/\(object.className)", object.body))
        }
    }

    /// The caller who creates the objects: one whom no access rights restrict in this mode.
    private var owner: AdvisoryRequest.Caller {
        switch mode {
        case .standalone, .site: .master
        case .off: .everybody
        case .personal: .eve
        }
    }

    private func need(_ request: AdvisoryRequest, _ status: Int) async throws {
        let answer = try await send(request.by(owner))
        try #require(answer.status == status, "\(request.path): \(answer.text)")
    }

    private func keep(_ name: String, of request: AdvisoryRequest) async throws {
        let answer = try await send(request.by(owner))
        values[name] = try #require(answer.json["objectId"]?.string, "\(request.path): \(answer.text)")
    }

    // MARK: Requests

    func send(_ request: AdvisoryRequest) async throws -> Answer {
        let parts = filled(request.path).split(separator: "?", maxSplits: 1).map(String.init)
        var query = parts.dropFirst().first
        if let conditions = request.conditions {
            let text = try #require(filled(conditions).addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            query = (query.map { $0 + "&" } ?? "") + "where=" + text
        }
        var headers: HTTPFields = [:]
        var all = request.headers
        all["Host"] = all["Host"] ?? "127.0.0.1:1338"
        all["X-Parse-Session-Token"] = all["X-Parse-Session-Token"] ?? tokens[request.caller]
        switch request.caller {
        case .master: all["X-Parse-Master-Key"] = Self.masterKey
        case .readOnly: all["X-Parse-Master-Key"] = Self.readOnlyMasterKey
        default: break
        }
        for (name, value) in all { headers[try #require(HTTPField.Name(name))] = filled(value) }
        let api = try #require(apis[request.door])
        let response = await api.handle(
            HTTPServerRequest(
                method: try #require(HTTPRequest.Method(rawValue: request.method)), path: parts[0], query: query,
                headers: headers, body: request.body.map { Array(filled($0).utf8) } ?? [])
        ).response()
        return Answer(status: response.status.code, text: Self.text(of: response), headers: response.headers)
    }

    /// Replaces each name in braces (`{name}`) by its value.
    private func filled(_ text: String) -> String {
        guard text.utf8.count < 10_000 else { return text }
        return text.replacing(/\{([a-zA-Z]+)\}/) { values[String($0.output.1)] ?? String($0.output.0) }
    }

    /// The body of a response. For a change stream, its text up to the newest change.
    private static func text(of response: HTTPServerResponse) -> String {
        guard case .stream(let stream) = response.content else { return response.text }
        stream.setWaker {}
        defer { stream.closed() }
        var text = ""
        for _ in 0..<1000 {
            guard case .bytes(let bytes) = stream.next() else { break }
            text += String(decoding: bytes, as: UTF8.self)
        }
        return text
    }

    // MARK: Probes

    /// Sends the request of a probe, and compares the answer with the expected one.
    func run(_ probe: AdvisoryProbe, of advisory: Advisory) async throws {
        let request = probe.request
        let expected = try #require(probe.answers[mode])
        let answer = try await send(request)
        let sent = [request.path, request.conditions, request.body].compactMap { $0?.prefix(100) }
        let story =
            "\(advisory.id), \(mode): \(request.method) \(sent) by \(request.caller): \(answer.status) \(answer.text.prefix(300))"
        #expect(expected.statuses.contains(answer.status), "\(story)")
        if let code = expected.code { #expect(answer.json["code"]?.int == code, "\(story)") }
        for text in expected.shows { #expect(answer.text.contains(filled(text)), "\(text) is missing. \(story)") }
        let isHidden = ![.master, .readOnly].contains(request.caller) && !expected.shows.contains("{marker}")
        for text in expected.hides + (isHidden ? ["{marker}"] : []) {
            #expect(!answer.text.contains(filled(text)), "\(text) is shown. \(story)")
        }
        for (name, beginning) in expected.headers {
            let value = answer.headers[try #require(HTTPField.Name(name))]
            #expect(value?.hasPrefix(beginning) == true, "\(name): \(value ?? "none"). \(story)")
        }
        if expected.isForwarded {
            #expect(remote.sessions.last == tokens[request.caller], "\(story)")
        }
        for (member, name) in probe.keeps { values[name] = answer.json[member]?.string }
    }
}
