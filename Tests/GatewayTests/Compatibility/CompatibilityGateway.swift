import Foundation
import GRDB
import GatewayAPI
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// A standalone gateway with one setting of `--compatibility`, made as the program makes it, but without a socket.
struct CompatibilityGateway {
    struct Answer {
        let status: Int
        let json: JSONObject
        let headers: HTTPFields
        let text: String

        /// HTTP status and Parse code of the answer: `400/119`.
        var codes: String {
            let code = (json["code"] ?? json["error"]?.object?["code"])?.int
            return code.map { "\(status)/\($0)" } ?? "\(status)"
        }
        /// HTTP status, Parse code and error text of the answer: `400/119 Permission denied`.
        var words: String { "\(codes) \((json["error"] ?? json["message"])?.string ?? "")" }
    }

    /// A user with an open session.
    struct User {
        let id: String
        let token: String
    }

    static let masterKey = "the master key"
    static let readOnlyKey = "the read-only master key"
    static let maintenanceKey = "the maintenance key"
    static let applicationId = "app"

    let version: Compatibility
    let api: GatewayAPI
    let store: LocalStore
    let clock = TestClock()
    private let directory: TemporaryDirectory

    init(_ version: Compatibility, _ change: (inout GatewayConfiguration) -> Void = { _ in }) throws {
        self.version = version
        directory = try TemporaryDirectory()
        var configuration = GatewayConfiguration(dataDirectory: directory.path)
        configuration.compatibility = version
        configuration.localKeys.applicationId = Self.applicationId
        configuration.localKeys.readOnlyMasterKey = Secret(Self.readOnlyKey)
        configuration.localKeys.maintenanceKey = Secret(Self.maintenanceKey)
        change(&configuration)
        configuration.synchronous = .normal
        store = try LocalStore(StoreConfiguration(configuration.store()), environment: clock.environment)
        var settings = configuration.api(masterKey: Secret(Self.masterKey))
        settings.accounts.passwordStrength = .weakest
        api = Standalone.api(
            APIParts(store: store.objects, configuration: settings, environment: clock.environment, logger: .quiet),
            accounts: store.accounts)
    }

    /// - Parameters:
    ///   - line: the method and the path with its query: `GET /classes/Note?limit=1`.
    ///   - user: the user whose session the request has; nil for none.
    @discardableResult
    func send(
        _ line: String, _ body: JSONObject? = nil, as user: User? = nil, master: Bool = false,
        headers: [String: String] = [:], content: String? = nil, from peer: IPAddress = .loopback
    ) async throws -> Answer {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
        var all = ["X-Parse-Application-Id": Self.applicationId].merging(headers) { $1 }
        all["Host"] = "127.0.0.1:1338"
        if let user { all["X-Parse-Session-Token"] = user.token }
        if master { all["X-Parse-Master-Key"] = Self.masterKey }
        var fields: HTTPFields = [:]
        for (name, value) in all where !value.isEmpty { fields[try #require(HTTPField.Name(name))] = value }
        let response = await api.handle(
            HTTPServerRequest(
                method: try #require(HTTPRequest.Method(rawValue: words[0])), path: target[0],
                query: target.count > 1 ? target[1] : nil, headers: fields,
                body: content.map { Array($0.utf8) } ?? body?.jsonBytes ?? [], peer: peer)
        ).response()
        return Answer(
            status: response.status.code, json: (try? JSONReader.read(response.wholeBody))?.object ?? [:],
            headers: response.headers, text: String(decoding: response.wholeBody, as: UTF8.self))
    }

    func find(
        _ path: String, where conditions: JSONObject, _ more: String = "", as user: User? = nil, master: Bool = false
    ) async throws -> Answer {
        let encoded = try #require(conditions.jsonText.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await send("GET \(path)?where=\(encoded)\(more)", as: user, master: master)
    }

    func signUp(_ name: String) async throws -> User {
        let answer = try await send("POST /users", ["username": .string(name), "password": "secret"])
        return User(
            id: try #require(answer.json["objectId"]?.string, "\(answer.text)"),
            token: try #require(answer.json["sessionToken"]?.string))
    }

    func create(_ className: String, _ body: JSONObject, as user: User? = nil) async throws -> String {
        let answer = try await send("POST /classes/\(className)", body, as: user)
        return try #require(answer.json["objectId"]?.string, "\(answer.text)")
    }

    /// Renames a table of the database, so that every read fails.
    func breakFile() async throws {
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction { db in
            try db.execute(sql: "ALTER TABLE objects RENAME TO gone")
        }
    }

    /// Creates a class with permissions.
    func makeClass(_ name: String, fields: JSONObject = [:], permissions: JSONObject) async throws {
        let body: JSONObject = ["fields": .object(fields), "classLevelPermissions": .object(permissions)]
        let answer = try await send("POST /schemas/\(name)", body, master: true)
        try #require(answer.status == 200, "\(answer.text)")
    }
}
