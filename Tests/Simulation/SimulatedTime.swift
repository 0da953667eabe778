import ParseModel
import SyncEngine
import Synchronization

/// The global time of a run. Only the simulation advances it.
final class SimulatedTime: Sendable {
    private let state = Mutex<Int64>(1_700_000_000_000)

    /// Milliseconds since 1970.
    var nowMs: Int64 { state.withLock { $0 } }

    func advance(ms: Int) { state.withLock { $0 += Int64(ms) } }
}

/// The clock of one machine. It drifts from the global time, and users may change it.
final class PartyClock: Sendable {
    private let time: SimulatedTime
    private let driftPpm: Int
    private let offsetMs: Mutex<Int64>
    /// The time spans by which users have set the clock back, each from the new time to the old one, in milliseconds
    /// since 1970.
    private let setBacks = Mutex<[ClosedRange<Int64>]>([])

    /// - Parameter driftPpm: the microseconds per second by which the clock is fast; negative if the clock is slow.
    init(_ time: SimulatedTime, driftPpm: Int = 0, offsetMs: Int64 = 0) {
        self.time = time
        self.driftPpm = driftPpm
        self.offsetMs = Mutex(offsetMs)
    }

    func jump(ms: Int64) {
        let now = ticksMs + offsetMs.withLock { $0 }
        if ms < 0 { setBacks.withLock { $0.append(now + ms...now) } }
        offsetMs.withLock { $0 += ms }
    }

    /// Whether the first time may have come before the second one on this machine, although it is the later one: the
    /// clock may have been set back in between.
    func mayPrecede(_ first: ParseDate, _ second: ParseDate) -> Bool {
        first <= second
            || setBacks.withLock { ranges in
                ranges.contains { $0.lowerBound <= second.milliseconds && first.milliseconds <= $0.upperBound }
            }
    }

    /// The machine's clock, random source and timers.
    /// - Parameters:
    ///   - timers: the timers that the simulation fires; nil to let each sleep fail at once with `CancellationError`.
    ///   - forgetsRetries: whether timers shorter than the sync interval never fire, except the debounce timer.
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

    /// The machine's time in milliseconds: the global time with the drift of the machine's clock, but without its offset.
    var ticksMs: Int64 {
        let now = time.nowMs
        return now + (now - 1_700_000_000_000) * Int64(driftPpm) / 1_000_000
    }
}
