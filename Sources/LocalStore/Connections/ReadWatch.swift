import Dispatch
import GRDB
import StoreService
import Synchronization

/// A flag that interrupts Tidegate's SQL functions on one connection. SQLite itself checks for an interruption only between steps
/// of a statement, not during a function.
final class Interruption: Sendable {
    private let state = Atomic<Bool>(false)

    var isOn: Bool {
        get { state.load(ordering: .relaxed) }
        set { state.store(newValue, ordering: .relaxed) }
    }
}

/// Interrupts queries past their timeout, and queries of disconnected clients. A timer checks all running queries every 20 ms.
/// The timer stops one second after the last query, until the next query starts.
final class ReadWatch: Sendable {
    private struct Read {
        let queue: DatabaseQueue
        let interruption: Interruption
        /// The deadline by the uptime clock; nil without a timeout.
        let deadline: Duration?
        let isWanted: @Sendable () -> Bool
        var isInterrupted = false
    }

    private struct State {
        var reads: [Int: Read] = [:]
        var lastTicket = 0
        var isLooking = false
        /// The number of consecutive checks without a running query.
        var idleRounds = 0
        /// Whether the store is about to close. Every query is then interrupted.
        var isClosing = false
    }

    private let state = Mutex(State())
    private let uptime: @Sendable () -> Duration
    private let timer = DispatchQueue(label: "tidegate.reads")
    private static let round = DispatchTimeInterval.milliseconds(20)
    private static let idleRoundsMax = 50

    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// Starts watching a query. The watch ends when the returned ticket is passed to `end`.
    func begin(_ queue: DatabaseQueue, _ interruption: Interruption, timeout: ReadTimeout) -> Int {
        let deadline = timeout.duration.map { uptime() + $0 }
        let (ticket, mustStart) = state.withLock { state in
            state.lastTicket += 1
            state.reads[state.lastTicket] = Read(
                queue: queue, interruption: interruption, deadline: deadline, isWanted: timeout.isWanted)
            state.idleRounds = 0
            defer { state.isLooking = true }
            return (state.lastTicket, !state.isLooking)
        }
        if mustStart { lookLater() }
        return ticket
    }

    /// Stops watching a query. Returns whether the query was interrupted.
    func end(_ ticket: Int) -> Bool {
        state.withLock { state in
            guard let read = state.reads.removeValue(forKey: ticket) else { return false }
            read.interruption.isOn = false
            return read.isInterrupted
        }
    }

    /// Interrupts the running queries, and all later ones.
    func interruptAll() { state.withLock { $0.isClosing = true } }

    private func lookLater() { timer.asyncAfter(deadline: .now() + Self.round) { [weak self] in self?.look() } }

    /// Interrupts each query whose deadline has passed or whose client has disconnected. Interrupts every query if the store is
    /// about to close. `end` takes the same lock, so an interruption never reaches the next query of a connection.
    private func look() {
        let goesOn = state.withLock { state in
            let now = uptime()
            for (ticket, read) in state.reads
            where state.isClosing || read.deadline.map({ $0 <= now }) == true || !read.isWanted() {
                state.reads[ticket]?.isInterrupted = true
                read.interruption.isOn = true
                read.queue.interrupt()
            }
            state.idleRounds = state.reads.isEmpty ? state.idleRounds + 1 : 0
            state.isLooking = state.idleRounds < Self.idleRoundsMax
            return state.isLooking
        }
        if goesOn { lookLater() }
    }
}
