import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import Synchronization
import Testing

@testable import Gateway

/// A client that asks for the remote in its writes.
struct DeliveryClient {
    struct Answer {
        let status: Int
        let body: JSONObject
        let headers: HTTPFields

        /// The header `Tidegate-State`.
        var state: String? { headers[HTTPField.Name("Tidegate-State")!] }
        var applied: String? { headers[HTTPField.Name("Preference-Applied")!] }
        var code: Int? { body["code"]?.int }
        /// The members of the answer to each item of a batch: `success` or `error`.
        let items: [JSONObject]
    }

    let api: GatewayAPI

    /// - Parameters:
    ///   - line: method and path, for example `POST /classes/Holiday`.
    ///   - prefer: the value of the header `Prefer`; nil for none.
    func send(
        _ line: String, _ body: JSONObject? = nil, prefer: String? = nil, _ more: [String: String] = [:]
    ) async throws -> Answer {
        let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
        var headers: HTTPFields = [HTTPField.Name("Host")!: "localhost"]
        headers[HTTPField.Name("Prefer")!] = prefer
        for (name, value) in more { headers[HTTPField.Name(name)!] = value }
        let response = await api.handle(
            HTTPServerRequest(
                method: try #require(HTTPRequest.Method(rawValue: parts[0])), path: parts[1], headers: headers,
                body: body?.jsonBytes ?? [])
        ).response()
        let json = try JSONReader.read(response.wholeBody)
        return Answer(
            status: response.status.code, body: json.object ?? [:], headers: response.headers,
            items: json.array?.compactMap(\.object) ?? [])
    }

    static let confirm = "tidegate-remote=confirm, wait=10"
    static let only = "tidegate-remote=only"
}

extension World {
    /// - Parameter isImpatient: whether every time limit for waiting is over immediately.
    func client(isImpatient: Bool = false) -> DeliveryClient {
        DeliveryClient(api: replica.api(clock, isImpatient: isImpatient))
    }

    /// Lets the next write request meet a fault. Afterwards, the remote cannot be reached until `transport.heal()`, so that no
    /// sync finds out the outcome.
    func loseNextWrite(_ fault: HandlerTransport.Fault) {
        let isLost = Lost()
        transport.set { method, _, body in
            if isLost.value.load(ordering: .relaxed) { return .refused }
            let isRead = method == "GET" || body.contains(#""GET""#) || body.contains("createdAt")
            if isRead { return nil }
            isLost.value.store(true, ordering: .relaxed)
            return fault
        }
    }

    private final class Lost: Sendable {
        let value = Atomic(false)
    }
}
