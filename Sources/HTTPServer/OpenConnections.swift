import Foundation
import Synchronization

/// Tracks the connections in libmicrohttpd: counts them, closes overdue ones, and detects disconnected clients.
///
/// libmicrohttpd's own limits do not suffice. Version 0.9.75 never releases a lock when a connection is added beyond the
/// connection limit. Every byte restarts the idle timeout. libmicrohttpd can also miss an end of input that arrives together with
/// other bytes.
final class OpenConnections: Sendable {
    private struct Entry {
        let connection: Connection
        /// The connection's state when the latest check found that the client's input had ended; nil before.
        var endSeen: ConnectionState?
        /// The connection's state when the latest check found a request that libmicrohttpd had not read; nil otherwise.
        var unreadSeen: ConnectionState?
        var isClosing = false
    }

    private struct State {
        /// The number of connections, WebSockets among them.
        var count = 0
        var webSocketCount = 0
        var entries: [ObjectIdentifier: Entry] = [:]
        var queues: WorkerQueues
        /// The descriptors of the connections that only wake a thread. They do not count towards `limit`.
        var wakeUps: Set<Int32> = []
    }

    private let state: Mutex<State>
    private let limit: Int
    private let firstPhase: ConnectionState.Phase
    private let rules: ConnectionRules
    private let uptime: @Sendable () -> Duration
    private let onRoom: @Sendable () -> Void

    /// - Parameters:
    ///   - threads: the number of libmicrohttpd's threads.
    ///   - onRoom: called when another connection can be added to libmicrohttpd, after one could not.
    init(
        limit: Int, threads: Int, rules: ConnectionRules, handover: Handover = .withHead,
        uptime: @escaping @Sendable () -> Duration,
        onRoom: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(queues: WorkerQueues(threads: threads, countMax: handover.unreadMax)))
        firstPhase = handover.firstPhase
        self.limit = limit
        self.rules = rules
        self.uptime = uptime
        self.onRoom = onRoom
    }

    var hasRoom: Bool { state.withLock { $0.count < limit } }
    /// Whether libmicrohttpd has no connection, except those that were handed over to the WebSockets.
    var isEmpty: Bool { state.withLock { $0.count == $0.webSocketCount } }

    /// Whether the thread of a socket can take another connection.
    func hasRoom(forWorkerOf descriptor: Int32) -> Bool { state.withLock { $0.queues.hasRoom(for: descriptor) } }

    /// Counts a connection before it is added to libmicrohttpd.
    func opened(_ descriptor: Int32) {
        state.withLock {
            $0.count += 1
            $0.queues.add(descriptor)
        }
    }

    /// Registers a connection whose only purpose is to wake a thread, before it is added to libmicrohttpd.
    func opensWakeUp(_ descriptor: Int32) { state.withLock { _ = $0.wakeUps.insert(descriptor) } }

    /// Whether a thread has not noticed an earlier wake-up yet.
    var hasWakeUp: Bool { state.withLock { !$0.wakeUps.isEmpty } }

    /// Registers a connection that libmicrohttpd has started.
    func began(descriptor: Int32) -> Connection {
        let connection = Connection(descriptor: descriptor, phase: firstPhase, now: uptime())
        state.withLock { $0.entries[ObjectIdentifier(connection)] = Entry(connection: connection) }
        return connection
    }

    /// Notes that libmicrohttpd has read a request of a connection.
    func readRequest(of connection: Connection) {
        guard connection.isFirstRequest() else { return }
        if state.withLock({ $0.queues.remove(connection.descriptor) }) { onRoom() }
    }

    /// Unregisters a connection. Called before the descriptor of a started connection is closed.
    func closed(_ connection: Connection) {
        let isFirst = connection.isFirstRequest()
        let hasRoom = state.withLock { state in
            state.entries[ObjectIdentifier(connection)] = nil
            guard state.wakeUps.remove(connection.descriptor) == nil, !connection.isUpgraded else { return false }
            state.count -= 1
            return (isFirst && state.queues.remove(connection.descriptor)) || state.count == limit - 1
        }
        connection.client.leave()
        if hasRoom { onRoom() }
    }

    /// Notes that a connection becomes a WebSocket. It counts until ``webSocketClosed()``, and not until libmicrohttpd closes its
    /// descriptor.
    func becomesWebSocket(_ connection: Connection) {
        connection.enter(.upgraded, at: uptime())
        state.withLock { $0.webSocketCount += 1 }
    }

    /// Unregisters a connection that has become a WebSocket.
    func webSocketClosed() {
        let hasRoom = state.withLock { state in
            state.count -= 1
            state.webSocketCount -= 1
            return state.count == limit - 1
        }
        if hasRoom { onRoom() }
    }

    /// Unregisters a connection that libmicrohttpd has not started.
    func rejected(_ descriptor: Int32) {
        state.withLock { state in
            guard state.wakeUps.remove(descriptor) == nil else { return }
            state.count -= 1
            _ = state.queues.remove(descriptor)
        }
    }

    /// Closes overdue connections. Before a request is complete, also closes connections whose client has disconnected. In phase
    /// `working`, only marks the client as disconnected, so that the handler can see this.
    /// - Returns: whether a request has been waiting since the previous check, so that a thread may have to be woken.
    func closeOverdue() -> Bool {
        let now = uptime()
        return state.withLock { state in
            var hasUnread = false
            for id in state.entries.keys {
                guard let connection = state.entries[id]?.connection else { continue }
                let current = connection.state(at: now)
                if rules.isOverdue(current) {
                    Self.close(&state.entries[id])
                } else if ![.sending, .streaming, .upgraded].contains(current.phase) {
                    if checkInput(&state.entries[id], current) { hasUnread = true }
                }
            }
            return hasUnread
        }
    }

    /// - Returns: whether a request has been waiting unread since the previous check.
    private func checkInput(_ entry: inout Entry?, _ current: ConnectionState) -> Bool {
        // The first 50 ms of a phase are skipped: libmicrohttpd may still be reading bytes that have just arrived.
        guard let seen = entry, current.age > .milliseconds(50), !seen.connection.client.hasDisconnected else {
            return false
        }
        let input = Self.input(of: seen.connection.descriptor)
        // A body that is being received has unread bytes often. A needless wake-up costs little.
        entry?.unreadSeen = input == .unread && current.phase != .working ? current : nil
        if input == .ended { noteEnd(&entry, seen, current) }
        return entry?.unreadSeen != nil && seen.unreadSeen.map { $0.age <= current.age } == true
    }

    private func noteEnd(_ entry: inout Entry?, _ seen: Entry, _ current: ConnectionState) {
        if current.phase == .working { return seen.connection.client.leave() }
        // The connection is closed only if its state has not changed since the previous check. Otherwise libmicrohttpd may
        // still be processing the last bytes.
        if let before = seen.endSeen, before.phase == current.phase, before.bytes == current.bytes,
            before.age <= current.age
        {
            Self.close(&entry)
        } else {
            entry?.endSeen = current
        }
    }

    private enum Input {
        case none
        /// Bytes that libmicrohttpd has not read.
        case unread
        /// The connection is broken, or the client has closed its side and libmicrohttpd has read all bytes.
        case ended
    }

    private static func input(of descriptor: Int32) -> Input {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        if count > 0 { return .unread }
        return count < 0 && [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .none : .ended
    }

    private static func hasUnreadRequest(_ connection: Connection?, _ now: Duration) -> Bool {
        guard let connection, connection.state(at: now).phase == .waiting else { return false }
        return input(of: connection.descriptor) == .unread
    }

    /// Shuts the socket down. libmicrohttpd then closes the descriptor. Called under the lock: otherwise the descriptor's number
    /// could already belong to another connection.
    private static func close(_ entry: inout Entry?) {
        guard let connection = entry?.connection, entry?.isClosing == false else { return }
        entry?.isClosing = true
        _ = shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }

    /// Closes the connection with the lowest `ConnectionRules.rank`; among equal ranks, the one whose phase began first. Does
    /// nothing while another connection is being closed. A waiting connection with unread bytes stays open: its next request has
    /// arrived, and only libmicrohttpd's thread is late.
    func makeRoom() {
        let now = uptime()
        state.withLock { state in
            guard !state.entries.values.contains(where: \.isClosing) else { return }
            let candidates = state.entries.compactMap {
                id, entry -> (id: ObjectIdentifier, rank: Int, age: Duration)? in
                let current = entry.connection.state(at: now)
                return rules.rank(current).map { (id, $0, current.age) }
            }.sorted { ($0.rank, $1.age) < ($1.rank, $0.age) }
            guard let first = candidates.first(where: { !Self.hasUnreadRequest(state.entries[$0.id]?.connection, now) })
            else { return }
            Self.close(&state.entries[first.id])
        }
    }

    /// Closes stalled connections in the given phase, the one longest in the phase first, until they free `count` bytes.
    func reclaim(_ count: Int, in phase: ConnectionState.Phase) {
        let now = uptime()
        state.withLock { state in
            let stalled = state.entries.map { (id: $0, current: $1.connection.state(at: now)) }
                .filter { rules.isStalled($0.current, in: phase) && $0.current.bytes > 0 }
                .sorted { $0.current.age > $1.current.age }
            var bytesLeft = count
            for (id, current) in stalled where bytesLeft > 0 {
                bytesLeft -= current.bytes
                Self.close(&state.entries[id])
            }
        }
    }
}

/// How much of a connection's first request has arrived when libmicrohttpd gets the connection.
enum Handover {
    /// The complete head.
    case withHead
    /// The first byte of the TLS handshake.
    case encrypted

    /// A connection in the middle of its handshake may be closed to make room. One with a complete head stays open.
    var firstPhase: ConnectionState.Phase {
        switch self {
        case .withHead: .starting
        case .encrypted: .waiting
        }
    }

    /// The maximum number of connections of a thread whose first request is unread. Slow handshakes must not keep other
    /// connections out, so there is no maximum with TLS. `MicroHTTPDaemon.wake` then ends the long waits of the thread.
    var unreadMax: Int {
        switch self {
        case .withHead: WorkerQueues.countMax
        case .encrypted: .max
        }
    }
}

/// Counts, for each thread of libmicrohttpd, the connections whose first request it has not read yet.
///
/// libmicrohttpd 0.9.75 asks `epoll_wait` for 128 events at a time. After exactly 128 events it asks again, and may
/// then wait for the idle timeout before it handles the first ones. So a thread is given fewer than 128 new connections
/// at a time.
struct WorkerQueues {
    private var counts: [Int]
    private let countMax: Int
    /// The maximum number of connections of a thread whose first request is unread. The rest of the 128 events is left
    /// to earlier connections.
    static let countMax = 64

    init(threads: Int, countMax: Int = Self.countMax) {
        counts = Array(repeating: 0, count: max(1, threads))
        self.countMax = countMax
    }

    /// libmicrohttpd chooses the thread of a socket by its number.
    private func worker(of descriptor: Int32) -> Int { Int(descriptor) % counts.count }

    func hasRoom(for descriptor: Int32) -> Bool { counts[worker(of: descriptor)] < countMax }

    mutating func add(_ descriptor: Int32) { counts[worker(of: descriptor)] += 1 }

    /// - Returns: whether the thread had no room before.
    mutating func remove(_ descriptor: Int32) -> Bool {
        let worker = worker(of: descriptor)
        defer { counts[worker] -= 1 }
        return counts[worker] == countMax
    }
}
