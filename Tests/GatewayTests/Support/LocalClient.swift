import Foundation
import GatewayAPI
import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// A client of a gateway without a socket, with short helpers for requests.
struct LocalClient {
    let directory: TemporaryDirectory
    private let api: GatewayAPI

    init(_ mode: APIConfiguration.Mode) throws {
        directory = try TemporaryDirectory()
        let remote = StoreIdentity.Remote(url: "http://localhost:1337/parse", applicationId: "app")
        var configuration = StoreConfiguration(
            directory: directory.path, identity: StoreIdentity(remote: mode == .replica ? remote : nil))
        configuration.synchronous = .normal
        let clock = TestClock()
        let store = try LocalStore(configuration, environment: clock.environment)
        let parts = APIParts(
            store: store.objects, configuration: APIConfiguration(mode: mode, version: "test"),
            environment: clock.environment, logger: .quiet)
        api =
            switch mode {
            case .standalone: Standalone.api(parts, accounts: store.accounts)
            case .replica: Replica.api(parts, RemoteWays(control: StillSync()))
            }
    }

    @discardableResult
    func send(
        _ method: String, _ target: String, _ body: String = ""
    ) async throws -> (status: Int, json: JSONObject, headers: HTTPFields) {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        let host = try #require(HTTPField.Name("Host"))
        let response = await api.handle(
            HTTPServerRequest(
                method: try #require(HTTPRequest.Method(rawValue: method)), path: parts[0],
                query: parts.count > 1 ? parts[1] : nil, headers: [host: "127.0.0.1:1338"], body: Array(body.utf8))
        ).response()
        return (response.status.code, try JSONReader.read(response.body).object ?? [:], response.headers)
    }

    func create(_ className: String, _ body: String) async throws -> String {
        let answer = try await send("POST", "/classes/\(className)", body)
        return try #require(answer.json["objectId"]?.string, "\(answer.json)")
    }

    func query(
        _ path: String, where condition: String, _ parameters: String = ""
    ) async throws -> (status: Int, json: JSONObject, headers: HTTPFields) {
        let encoded = try #require(condition.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        return try await send("GET", "\(path)?where=\(encoded)\(parameters)")
    }

    func names(
        _ path: String, where condition: String, _ field: String, _ parameters: String = ""
    ) async throws -> [String] {
        let answer = try await query(path, where: condition, parameters)
        return try #require(answer.json["results"]?.array, "\(answer.json)").compactMap { $0.object?[field]?.string }
    }

    func members(of holiday: String, _ parameters: String = "") async throws -> [String] {
        try await names("/classes/Country", where: #"{"$relatedTo":\#(related(holiday))}"#, "name", parameters)
    }

    // MARK: Text forms

    func pointer(_ className: String, _ id: String) -> String {
        Pointer(className: className, objectId: id).json.jsonText
    }

    func related(_ holiday: String) -> String {
        #"{"object":\#(pointer("Holiday", holiday)),"key":"countries"}"#
    }

    func operation(_ name: String, _ countries: String...) -> String {
        #"{"__op":"\#(name)","objects":[\#(countries.map { pointer("Country", $0) }.joined(separator: ","))]}"#
    }
}
