import HTTPClient
import HTTPTypes
import LocalStore
import ParseModel

/// The behaviour of the server and its network that depends on the kind of the run.
extension SimulatedServer {
    struct Behaviour: Sendable {
        let kind: SeedKind
        let random: PartyRandom
        /// Whether the server has a change feed. A Tidegate gateway has one, and a Parse Server does not.
        let hasFeed: Bool

        init(_ kind: SeedKind, seed: UInt64) {
            self.kind = kind
            random = PartyRandom(seed: seed, of: "habits")
            hasFeed = PartyRandom(seed: seed, of: "change feed").chance(0.5)
        }

        /// The fault of a write that meets a fault, in runs of kind `haste`: mostly `delayed`, otherwise
        /// `gatewayTimeout`.
        /// - Returns: nil to let `FaultyTransport` choose the fault: sometimes in these runs, and always in other runs.
        func writeFault() -> NetworkFault? {
            guard kind == .haste, random.chance(0.8) else { return nil }
            return random.chance(0.6) ? .delayed : .gatewayTimeout
        }

        /// The factor for the share of faulty reads. Runs of kind `haste` have fewer faulty reads, because a failed read may end
        /// a sync before its push, and these runs need pushes in quick succession.
        var readFaultScale: Double { kind == .haste ? 0.2 : 1 }
        /// The time in milliseconds that a request takes to the server, or that an answer takes to the client.
        var latencyMs: ClosedRange<Int> { kind == .haste ? 1...40 : 1...200 }
        /// The delay of a delayed request in milliseconds. It is below the engine's grace period.
        var delayMs: ClosedRange<Int> { kind == .haste ? 3000...9000 : 100...8000 }

        /// The error response to a request that the server does not execute. This is a request for the change feed if
        /// the server has none and, in runs of kind `failingWrites`, a write with a value on which the server always
        /// fails.
        /// - Returns: nil for other requests.
        func failure(over request: HTTPClientRequest) -> (status: Int, body: String)? {
            if !hasFeed, request.method == .get, request.url.contains("/changes?") {
                return (404, "Cannot GET /parse/changes")
            }
            guard kind == .failingWrites, request.method != .get,
                String(decoding: request.body, as: UTF8.self).contains(SeedKind.poisonPrefix)
            else { return nil }
            return (500, #"{"code":1,"message":"Internal server error."}"#)
        }

        /// The URL under which the server executes a request. Changes some requests for deletions in the change feed,
        /// so that the answer lacks the deletions or contains other changes too: the engine must not rely on a complete
        /// and correct feed.
        func executedURL(of request: HTTPClientRequest) -> String {
            guard hasFeed, request.url.contains("/changes?"), !request.url.contains("since=latest") else {
                return request.url
            }
            let kinds = random.pick(["delete", "delete", "create", "create,update,delete"]) ?? "delete"
            return request.url.replacing("kinds=delete", with: "kinds=\(kinds)")
        }

        /// A random time in milliseconds between a write's timestamp and its commit; 0 except in runs of kind `lateCommits`. The
        /// time is shorter than the time since the object's last change, so the object's timestamps stay in order.
        /// - Parameter updatedAt: the time of the object's last change; nil for a new object.
        func commitDelayMs(after updatedAt: ParseDate?, now: ParseDate) -> Int64 {
            guard kind == .lateCommits, random.chance(0.5) else { return 0 }
            let drawn = Int64(random.below(Int(SeedKind.commitDelayMaxMs)))
            guard let updatedAt else { return drawn }
            return max(0, min(drawn, now.milliseconds - updatedAt.milliseconds - 1))
        }
    }
}
