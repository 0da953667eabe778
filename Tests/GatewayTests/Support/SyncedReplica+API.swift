import HTTPServer
import HTTPTypes
import ParseModel

@testable import Gateway
@testable import GatewayAPI

/// The HTTP API of the replica, as its local clients use it.
extension SyncedReplica {
    /// - Parameter line: method and path with its query: `POST /sync?wait=true`.
    func send(_ line: String, _ body: JSONObject? = nil, clock: TestClock) async throws -> (Int, JSONObject) {
        try await api(clock).send(line, body)
    }

    /// - Parameters:
    ///   - calls: sends forwarded requests to the remote.
    ///   - isImpatient: whether every time limit for waiting is over immediately.
    ///   - user: the user of a personal replica whom this API serves; nil for a replica without users.
    func api(
        _ clock: TestClock, remote calls: (any RemoteCalls)? = nil, isImpatient: Bool = false, user: SpaceUser? = nil
    ) -> GatewayAPI {
        var environment = clock.environment
        if isImpatient { environment.sleep = { _ in } }
        let parts = APIParts(
            store: store.objects, configuration: APIConfiguration(mode: .replica, version: "test"),
            environment: clock.environment, logger: .quiet)
        let control = EngineControl(
            engine: engine, store: store, changes: changes, stalls: stalls, environment: environment)
        let ways = RemoteWays(
            control: control, delivery: EngineDelivery(control: control), calls: calls, files: files)
        guard let user else { return Replica.api(parts, ways) }
        return UserSpace.api(parts, ways, user, of: SpacesOfNobody(), storeId: "")
    }

    /// Sets options of a class like `PUT /sync/classes/{className}`, but without the sync that this route starts.
    func set(_ options: JSONObject, of className: String = "Holiday") async throws {
        let change = try ClassOptionsChange(
            options, operators: engine.operators(of: className),
            storesParseValues: engine.storesParseValues(of: className))
        try await store.configureClass(className) { options, pulls in change.apply(to: &options, &pulls) }
    }
}

extension GatewayAPI {
    /// - Parameter line: method and path with its query: `POST /sync?wait=true`.
    func send(_ line: String, _ body: JSONObject? = nil) async throws -> (Int, JSONObject) {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        let target = parts[1].split(separator: "?", maxSplits: 1).map(String.init)
        let answer = await handle(
            HTTPServerRequest(
                method: HTTPRequest.Method(rawValue: parts[0]) ?? .get, path: target[0],
                query: target.count > 1 ? target[1] : nil, headers: [HTTPField.Name("Host")!: "localhost"],
                body: body?.jsonBytes ?? [])
        ).response()
        return (answer.status.code, try JSONReader.read(answer.body).object ?? [:])
    }
}
