import HTTPClient
import HTTPTypes
import LocalStore
import ParseModel

/// Server behaviour that only some kinds of runs use. It draws from its own random stream.
extension SimulatedServer {
    struct Behaviour: Sendable {
        let kind: SeedKind
        let random: PartyRandom

        init(_ kind: SeedKind, _ random: PartyRandom) {
            self.kind = kind
            self.random = random
        }

        /// Chooses the fault of a write that the network lets fail, in runs of kind `haste`. In most cases, the server executes
        /// the write after the sender has given up.
        /// - Returns: nil to let the network choose the fault.
        func writeFault() -> NetworkFault? {
            guard kind == .haste, random.chance(0.8) else { return nil }
            return random.chance(0.6) ? .delayed : .gatewayTimeout
        }

        /// The factor for the share of faulty reads. Runs of kind `haste` have fewer faulty reads, because a failed read may end
        /// a sync before its push, and these runs need pushes in quick succession.
        var readFaultScale: Double { kind == .haste ? 0.2 : 1 }
        /// The time in milliseconds that a request takes to the server, or an answer takes to the client.
        var latencyMs: ClosedRange<Int> { kind == .haste ? 1...40 : 1...200 }
        /// The delay of a delayed request in milliseconds. It is below the engine's grace period.
        var delayMs: ClosedRange<Int> { kind == .haste ? 3000...9000 : 100...8000 }

        /// The error response to a write with a value on which the server always fails, in runs of kind `failingWrites`. The
        /// server does not execute the write.
        /// - Returns: nil for other requests.
        func failure(over request: HTTPClientRequest) -> (status: Int, body: String)? {
            guard kind == .failingWrites, request.method != .get,
                String(decoding: request.body, as: UTF8.self).contains(SeedKind.poisonPrefix)
            else { return nil }
            return (500, #"{"code":1,"message":"Internal server error."}"#)
        }

        /// The time in milliseconds between a write's timestamp and its commit. For an existing object it is shorter than the
        /// time since the object's last change, so the object's timestamps stay in order.
        /// - Parameter updatedAt: the time of the object's last change; nil for a new object.
        func commitDelayMs(after updatedAt: ParseDate?, now: ParseDate) -> Int64 {
            guard kind == .lateCommits, random.chance(0.5) else { return 0 }
            let drawn = Int64(random.below(Int(SeedKind.commitDelayMaxMs)))
            guard let updatedAt else { return drawn }
            return max(0, min(drawn, now.milliseconds - updatedAt.milliseconds - 1))
        }
    }
}
