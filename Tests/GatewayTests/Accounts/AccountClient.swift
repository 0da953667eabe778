import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import Passwords
import StoreService
import StoreSupport
import Testing

@testable import Gateway
@testable import LocalStore

/// A client of a standalone gateway with users on the real store, without a socket. Passwords get the weakest hash,
/// which is fast.
struct AccountClient {
    struct Answer {
        let status: Int
        let json: JSONObject
        let text: String
        let headers: HTTPFields

        var location: String? { headers[.location] }
        var code: Int? { json["code"]?.int }
        var error: String? { json["error"]?.string }
        var token: String? { json["sessionToken"]?.string }
        var results: [JSONObject] { json["results"]?.array?.compactMap(\.object) ?? [] }
    }

    static let masterKey = "the master key"
    static let maintenanceKey = "the maintenance key"
    static let readOnlyMasterKey = "the read-only master key"

    let directory: TemporaryDirectory
    let store: LocalStore
    let clock: TestClock
    let api: GatewayAPI

    /// - Parameter queryBytesMax: the memory that one query may take; nil for the usual limit.
    init(
        allowsChosenIds: Bool = false, queryBytesMax: Int? = nil, _ change: (inout AccountSettings) -> Void = { _ in }
    ) throws {
        directory = try TemporaryDirectory()
        clock = TestClock()
        var configuration = StoreConfiguration(
            directory: self.directory.path, identity: StoreIdentity(remote: nil))
        configuration.synchronous = .normal
        configuration.allowsChosenIds = allowsChosenIds
        if let queryBytesMax { configuration.queryBytesMax = queryBytesMax }
        store = try LocalStore(configuration, environment: clock.environment)
        api = Self.api(store, clock, change)
    }

    /// Makes another gateway on the same store, with other account settings.
    init(sharing other: AccountClient, _ change: (inout AccountSettings) -> Void) {
        (directory, store, clock) = (other.directory, other.store, other.clock)
        api = Self.api(store, clock, change)
    }

    private static func api(
        _ store: LocalStore, _ clock: TestClock, _ change: (inout AccountSettings) -> Void
    ) -> GatewayAPI {
        var settings = APIConfiguration(
            mode: .standalone, version: "test", keys: ClientKeys(masterKey: masterKey))
        settings.keys.maintenanceKey = maintenanceKey
        settings.keys.readOnlyMasterKey = readOnlyMasterKey
        settings.accounts.passwordStrength = .weakest
        settings.denialDetails = .shownOnThisMachine
        change(&settings.accounts)
        return Standalone.api(
            APIParts(store: store.objects, configuration: settings, environment: clock.environment, logger: .quiet),
            accounts: store.accounts)
    }

    /// - Parameter token: the session token; nil for none.
    @discardableResult
    func send(
        _ method: String, _ target: String, _ body: JSONObject? = nil, as token: String? = nil, master: Bool = false,
        installation: String? = nil, headers: [String: String] = [:]
    ) async throws -> Answer {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var fields: HTTPFields = [:]
        var all = headers
        all["Host"] = "127.0.0.1:1338"
        all["X-Parse-Session-Token"] = token
        all["X-Parse-Master-Key"] = master ? Self.masterKey : nil
        all["X-Parse-Installation-Id"] = installation
        for (name, value) in all { fields[try #require(HTTPField.Name(name))] = value }
        let response = await api.handle(
            HTTPServerRequest(
                method: try #require(HTTPRequest.Method(rawValue: method)), path: parts[0],
                query: parts.count > 1 ? parts[1] : nil, headers: fields, body: body?.jsonBytes ?? [])
        ).response()
        let text = String(decoding: response.body, as: UTF8.self)
        return Answer(
            status: response.status.code, json: (try? JSONReader.read(response.body))?.object ?? [:], text: text,
            headers: response.headers)
    }

    /// Signs a user up.
    func signUp(
        _ name: String, _ password: String = "secret", _ more: JSONObject = [:], installation: String? = nil
    ) async throws -> (id: String, token: String) {
        var body: JSONObject = ["username": .string(name), "password": .string(password)]
        for (field, value) in more { body[field] = value }
        let answer = try await send("POST", "/users", body, installation: installation)
        return (
            try #require(answer.json["objectId"]?.string, "\(answer.json)"),
            try #require(answer.token, "\(answer.json)")
        )
    }

    func logIn(
        _ name: String, _ password: String = "secret", installation: String? = nil
    ) async throws -> Answer {
        try await send(
            "POST", "/login", ["username": .string(name), "password": .string(password)], installation: installation)
    }

    func find(
        _ path: String, where conditions: JSONObject, as token: String? = nil, master: Bool = false
    ) async throws -> Answer {
        let encoded = try #require(
            conditions.jsonText.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await send("GET", "\(path)?where=\(encoded)", as: token, master: master)
    }

    func isOpen(_ token: String) async throws -> Bool {
        try await send("GET", "/users/me", as: token).status == 200
    }

    /// The contents of all files in the data directory, as one text.
    func fileText() throws -> String {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).compactMap {
            FileManager.default.contents(atPath: directory.path + "/" + $0)
        }.map { String(decoding: $0, as: UTF8.self) }.joined()
    }
}

/// Checks an error answer.
func expectError(
    _ answer: AccountClient.Answer, _ status: Int, _ code: Int, _ message: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(answer.status == status, "\(answer.json)", sourceLocation: sourceLocation)
    #expect(answer.code == code, "\(answer.json)", sourceLocation: sourceLocation)
    #expect(answer.error == message, sourceLocation: sourceLocation)
}
