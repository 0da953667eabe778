import GatewayAPI
import HTTPServer
import HTTPTypes
import LocalStore
import StoreSupport

@testable import Gateway

/// The metrics in the text of `/metrics`, by name with labels in their original form: `a{b="c"}`.
struct Figures {
    let values: [String: Double]

    init(_ text: String) {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        values = Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let parts = line.split(separator: " ")
                return (parts.dropLast().joined(separator: " "), Double(parts.last ?? "") ?? .nan)
            })
    }

    /// - Parameter name: the name without `tidegate_`.
    subscript(_ name: String) -> Double? { values["tidegate_" + name] }

    /// The number of samples with a name, whatever their labels.
    func count(_ name: String) -> Int { values.keys.count { $0.hasPrefix("tidegate_" + name) } }
}

extension SyncedReplica {
    /// Reads the metrics of this replica through its API.
    func figures(_ clock: TestClock) async -> Figures {
        let api = Replica.api(
            APIParts(
                store: store.objects, configuration: APIConfiguration(mode: .replica, version: "test"),
                environment: clock.environment, logger: .quiet,
                metrics: [StoreMetrics(store: store), OutboxMetrics(store: store), metrics, stalls]),
            RemoteWays(control: StillSync()))
        var headers = HTTPFields()
        headers[HTTPField.Name("Host")!] = "localhost"
        let answer = await api.handle(HTTPServerRequest(method: .get, path: "/metrics", headers: headers)).response()
        return Figures(String(decoding: answer.body, as: UTF8.self))
    }
}
