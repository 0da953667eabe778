import RemoteService
import SyncModel

/// Decides when the engine connects to hear of the remote's changes, which queries it listens to, and when it falls back to syncs at
/// the interval. Has no I/O.
struct ListeningPlan: Sendable {
    enum Event: Sendable {
        /// The queries to listen to now; empty for none. `isCurrent` is false if the open connection has an earlier session.
        case wanted([PullQuery], isCurrent: Bool)
        case connected
        case failed(RemoteSignalsError)
        case listening(refused: Set<String>)
        /// The open connection has ended.
        case ended
        case delayOver
    }

    enum Action: Equatable {
        case connect
        case listen([PullQuery])
        /// Ends the connection, the attempt to connect, or the delay.
        case close
        /// Sends `delayOver` after the duration.
        case wait(Duration)
        case sync
    }

    private enum Phase {
        case idle
        case connecting
        /// `since` is the uptime at which the remote has first answered the queries; nil before.
        case open(since: Duration?)
        case waiting
    }

    /// The maximum delay between two attempts to connect.
    static let delayMax = Duration.seconds(600)
    /// The time after which an open connection counts as stable. The delays then begin anew.
    static let stableTime = Duration.seconds(60)

    private(set) var state = SyncStatus.Listening.State.off
    /// The classes whose reports the remote has refused.
    private(set) var refused: Set<String> = []
    private var phase = Phase.idle
    private var queries: [PullQuery] = []
    private var backoff = Backoff(max: delayMax, retryAfterMax: delayMax)

    /// - Parameters:
    ///   - now: the uptime.
    ///   - random: 64 random bits.
    mutating func take(_ event: Event, at now: Duration, random: UInt64) -> [Action] {
        switch (event, phase) {
        case (.wanted(let wanted, let isCurrent), _): return want(wanted, isCurrent)
        case (.connected, .connecting):
            phase = .open(since: nil)
            return [.listen(queries)]
        case (.failed(.noSession), .connecting):
            // The end of a later sync reports a new session.
            (phase, state) = (.idle, .off)
            return []
        case (.failed(let error), .connecting):
            state = if case .notOffered = error { .notOffered } else { .connecting }
            return [delay(random)]
        case (.listening(let refused), .open(let since)): return noteAnswers(refused, since, now, random)
        case (.ended, .open(let since)):
            state = .connecting
            refused = []
            guard let since else { return [delay(random)] }
            if now - since >= Self.stableTime { backoff.reset() }
            // Changes since the end have not been reported.
            return [.sync, delay(random)]
        case (.delayOver, .waiting):
            phase = .connecting
            return [.connect]
        default: return []
        }
    }

    private mutating func want(_ wanted: [PullQuery], _ isCurrent: Bool) -> [Action] {
        let known = queries
        queries = wanted
        switch phase {
        case .idle:
            guard !wanted.isEmpty else { return [] }
            (phase, state) = (.connecting, .connecting)
            return [.connect]
        case _ where wanted.isEmpty:
            (phase, state, refused) = (.idle, .off, [])
            backoff.reset()
            return [.close]
        case .open where !isCurrent:
            (phase, state, refused) = (.connecting, .connecting, [])
            return [.close, .connect]
        case .open: return wanted == known ? [] : [.listen(wanted)]
        case .connecting, .waiting: return []
        }
    }

    private mutating func noteAnswers(
        _ refused: Set<String>, _ since: Duration?, _ now: Duration, _ random: UInt64
    ) -> [Action] {
        guard !refused.isSuperset(of: queries.map(\.className)) else {
            (state, self.refused) = (.notOffered, [])
            return [.close, delay(random)]
        }
        phase = .open(since: since ?? now)
        (state, self.refused) = (.listening, refused)
        // Changes before the answer have not been reported.
        return [.sync]
    }

    private mutating func delay(_ random: UInt64) -> Action {
        phase = .waiting
        return .wait(backoff.next(random: random))
    }
}
