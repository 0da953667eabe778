import HTTPTypes
import Synchronization

/// Counts answers by route, method and status, and how long they took.
///
/// Every request passes here, so the table has a row for each route from the start, and a count costs no allocation
/// but the first of its kind. What a label may say does not depend on clients: paths and unknown methods are not kept.
final class RequestMetrics: MetricsSource {
    /// The methods that are told apart.
    private enum Method: String, Comparable {
        case get = "GET"
        case head = "HEAD"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
        case options = "OPTIONS"
        case patch = "PATCH"
        case other

        static func < (a: Method, b: Method) -> Bool { a.rawValue < b.rawValue }
    }

    private struct Answers {
        let method: Method
        let status: Int
        var count: Int
    }

    private struct Row {
        var answers: [Answers] = []
        var durations = Histogram(bounds: RequestMetrics.bounds)

        mutating func note(_ method: Method, _ status: Int, _ duration: Duration) {
            durations.note(duration)
            if let place = answers.firstIndex(where: { $0.status == status && $0.method == method }) {
                answers[place].count += 1
            } else {
                answers.append(Answers(method: method, status: status, count: 1))
            }
        }
    }

    /// Reads from the local file end within the first bounds; a sync that somebody waits for may reach the last ones.
    private static let bounds: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500),
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(5), .seconds(10),
        .seconds(30),
    ]
    /// In the order in which they are shown; nil: no route fitted, or the request was refused before one was looked for.
    private static let routes: [Endpoint?] = Endpoint.allCases + [nil]

    private let rows = Mutex(Dictionary(uniqueKeysWithValues: RequestMetrics.routes.map { ($0, Row()) }))

    /// - Parameters:
    ///   - endpoint: the route; nil where there is none.
    ///   - method: as it stood in the request line.
    func note(_ endpoint: Endpoint?, _ method: HTTPRequest.Method, status: Int, duration: Duration) {
        let method = Method(rawValue: method.rawValue) ?? .other
        rows.withLock { $0[endpoint]?.note(method, status, duration) }
    }

    /// Routes that nobody has asked for are left out.
    func families() -> [MetricFamily] {
        let rows = rows.withLock { $0 }
        var counts: [(MetricFamily.Labels, Int)] = []
        var durations: [(MetricFamily.Labels, Histogram)] = []
        for route in Self.routes {
            guard let row = rows[route], !row.answers.isEmpty else { continue }
            let name = route?.rawValue ?? "unmatched"
            for answers in row.answers.sorted(by: { ($0.method, $0.status) < ($1.method, $1.status) }) {
                counts.append(
                    (
                        ["route": name, "method": answers.method.rawValue, "status": String(answers.status)],
                        answers.count
                    ))
            }
            durations.append((["route": name], row.durations))
        }
        return [
            .counter("tidegate_http_requests_total", "Requests answered.", counts),
            .histogram(
                "tidegate_http_request_duration_seconds", "Time from a request's arrival to its answer.", durations),
        ]
    }
}
