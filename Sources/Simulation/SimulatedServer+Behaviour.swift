import HTTPClient
import HTTPTypes
import LocalStore
import ParseModel

/// Behaviour of the server in some kinds of runs only. They draw from a source of their own.
extension SimulatedServer {
    struct Behaviour: Sendable {
        let kind: SeedKind
        let random: PartyRandom

        init(_ kind: SeedKind, _ random: PartyRandom) {
            self.kind = kind
            self.random = random
        }

        /// The fault of a write that meets one; nil leaves it to the network conditions. In haste it mostly arrives after its sender has given
        /// it up.
        func writeFault() -> NetworkFault? {
            guard kind == .haste, random.chance(0.8) else { return nil }
            return random.chance(0.6) ? .delayed : .gatewayTimeout
        }

        /// The share of faults among reads, beside that of the network conditions: in haste, writes follow each other quickly.
        var readFaultScale: Double { kind == .haste ? 0.2 : 1 }
        /// How long a request takes in one direction.
        var latencyMs: ClosedRange<Int> { kind == .haste ? 1...40 : 1...200 }
        /// How long a delayed request takes: less than the grace period of the engine.
        var delayMs: ClosedRange<Int> { kind == .haste ? 3000...9000 : 100...8000 }

        /// The answer of a server that fails over a request, each time and without an effect; nil where it does not.
        func failure(over request: HTTPClientRequest) -> (status: Int, body: String)? {
            guard kind == .failingWrites, request.method != .get,
                String(decoding: request.body, as: UTF8.self).contains(SeedKind.poisonPrefix)
            else { return nil }
            return (500, #"{"code":1,"message":"Internal server error."}"#)
        }

        /// How long ago a write was stamped that the server shows now. An object's times go forward all the same.
        /// - Parameter updatedAt: when the object was last changed; nil for a new one.
        func commitDelayMs(after updatedAt: ParseDate?, now: ParseDate) -> Int64 {
            guard kind == .lateCommits, random.chance(0.5) else { return 0 }
            let drawn = Int64(random.below(Int(SeedKind.commitDelayMaxMs)))
            guard let updatedAt else { return drawn }
            return max(0, min(drawn, now.milliseconds - updatedAt.milliseconds - 1))
        }
    }
}
