import HTTPTypes
import Synchronization

/// Counts responses by route, method and status, and records their durations.
///
/// This code runs for every request, so a counter allocates memory only when it is first used. Label values come from routes,
/// known methods and statuses, so clients cannot create new ones. The spaces of a replica's users share the counters of the gateway.
package final class RequestMetrics: MetricsSource {
    /// The values of the metrics label `method`.
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

    private struct Count {
        let method: Method
        let status: Int
        var count: Int
    }

    private struct Row {
        /// The route's name; nil for requests without a matched route.
        let route: String?
        var counts: [Count] = []
        var durations = Histogram(bounds: RequestMetrics.bounds)

        mutating func note(_ method: Method, _ status: Int, _ duration: Duration) {
            durations.note(duration)
            if let place = counts.firstIndex(where: { $0.status == status && $0.method == method }) {
                counts[place].count += 1
            } else {
                counts.append(Count(method: method, status: status, count: 1))
            }
        }
    }

    /// The bounds of the duration histograms. They range from fast local reads to requests that wait for a sync.
    private static let bounds: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500), .milliseconds(1), .microseconds(2500),
        .milliseconds(5), .milliseconds(10), .milliseconds(25), .milliseconds(50), .milliseconds(100),
        .milliseconds(250), .milliseconds(500), .seconds(1), .milliseconds(2500), .seconds(5), .seconds(10),
        .seconds(30),
    ]
    /// The rows by the name of the route. Each space has its own routes, with the same names.
    private let rows = Mutex<[String?: Row]>([:])
    let latest = RecentRequests()

    package init() {}

    /// - Parameters:
    ///   - route: the matched route; nil for a request without one.
    ///   - method: the method of the request line.
    func note(_ route: Route?, _ method: HTTPRequest.Method, status: Int, duration: Duration) {
        let method = Method(rawValue: method.rawValue) ?? .other
        rows.withLock { rows in
            rows[route?.name, default: Row(route: route?.name)].note(method, status, duration)
        }
    }

    /// The metrics of all routes with requests.
    package func families() -> [MetricFamily] {
        // Requests without a route come last.
        let rows = rows.withLock { Array($0.values) }.sorted { ($0.route ?? "~") < ($1.route ?? "~") }
        var counts: [(MetricFamily.Labels, Int)] = []
        var durations: [(MetricFamily.Labels, Histogram)] = []
        for row in rows {
            let name = row.route ?? "unmatched"
            for count in row.counts.sorted(by: { ($0.method, $0.status) < ($1.method, $1.status) }) {
                counts.append(
                    (["route": name, "method": count.method.rawValue, "status": String(count.status)], count.count))
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
