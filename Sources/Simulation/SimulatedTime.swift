import ParseModel
import SyncEngine
import Synchronization

/// The one true time of a run, which passes only when the run says so.
final class SimulatedTime: Sendable {
    private let state = Mutex<Int64>(1_700_000_000_000)

    /// Milliseconds since 1970.
    var nowMs: Int64 { state.withLock { $0 } }

    func advance(ms: Int) { state.withLock { $0 += Int64(ms) } }
}

/// A machine's own clock: it drifts away from the true time, and somebody may set it.
final class PartyClock: Sendable {
    private let time: SimulatedTime
    private let driftPpm: Int
    private let offsetMs: Mutex<Int64>

    /// - Parameter driftPpm: microseconds that the clock gains in a second.
    init(_ time: SimulatedTime, driftPpm: Int = 0, offsetMs: Int64 = 0) {
        self.time = time
        self.driftPpm = driftPpm
        self.offsetMs = Mutex(offsetMs)
    }

    func jump(ms: Int64) { offsetMs.withLock { $0 += ms } }

    /// The machine's clock and its own source of randomness.
    /// - Parameter timers: the waits; without them each wait ends at once with an error.
    func environment(_ random: PartyRandom, timers: SimulatedTimers? = nil, forgetsRetries: Bool = false) -> Environment
    {
        Environment(
            now: { ParseDate(milliseconds: self.ticksMs + self.offsetMs.withLock { $0 }) },
            uptime: { .milliseconds(self.ticksMs) },
            random: { random.next() },
            sleep: { span in
                guard let timers else { throw CancellationError() }
                let kind: SimulatedTimers.Kind = span == SeedKind.debounce ? .debounce : .timer
                let isForgotten = forgetsRetries && kind == .timer && span < SyncOptions().interval
                let dueMs = (ParseDate(milliseconds: self.ticksMs) + span).milliseconds
                try await timers.wait(until: isForgotten ? .max : dueMs, kind)
            })
    }

    /// The machine's time since it was started, as its clock measures it.
    var ticksMs: Int64 {
        let now = time.nowMs
        return now + (now - 1_700_000_000_000) * Int64(driftPpm) / 1_000_000
    }
}
