import Foundation
import Synchronization

/// All connections: counts them, closes those that take too long or stand in the way, and notices clients that left.
///
/// libmicrohttpd's own limit is not used: 0.9.75 keeps a lock for ever when a connection that was handed to it meets that
/// limit. Its own timeout begins anew with each byte, and it may overlook an end of the input that came with other bytes.
final class OpenConnections: Sendable {
    private struct Entry {
        let connection: Connection
        /// Its input has ended, as of the last look, in this state.
        var endSeen: ConnectionState?
        var isClosing = false
    }

    private struct State {
        var count = 0
        var entries: [ObjectIdentifier: Entry] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int
    private let rules: ConnectionRules
    private let uptime: @Sendable () -> Duration
    private let roomAgain: @Sendable () -> Void

    /// - Parameter roomAgain: called when a connection closes while the limit is reached.
    init(
        limit: Int, rules: ConnectionRules, uptime: @escaping @Sendable () -> Duration,
        roomAgain: @escaping @Sendable () -> Void
    ) {
        self.limit = limit
        self.rules = rules
        self.uptime = uptime
        self.roomAgain = roomAgain
    }

    var hasRoom: Bool { state.withLock { $0.count < limit } }
    var isEmpty: Bool { state.withLock { $0.count == 0 } }

    /// A connection is handed to libmicrohttpd.
    func opened() {
        state.withLock { $0.count += 1 }
    }

    /// libmicrohttpd has begun with a connection.
    func began(descriptor: Int32) -> Connection {
        let connection = Connection(descriptor: descriptor, now: uptime())
        state.withLock { $0.entries[ObjectIdentifier(connection)] = Entry(connection: connection) }
        return connection
    }

    /// The descriptor is about to be closed.
    /// - Parameter connection: nil where libmicrohttpd has not begun with it.
    func closed(_ connection: Connection?) {
        let wasFull = state.withLock { state in
            if let connection { state.entries[ObjectIdentifier(connection)] = nil }
            state.count -= 1
            return state.count == limit - 1
        }
        connection?.client.leave()
        if wasFull { roomAgain() }
    }

    /// Closes connections that take too long, and those that clients have left. A request in work is told that its client has left.
    func look() {
        let now = uptime()
        state.withLock { state in
            for id in state.entries.keys {
                guard let connection = state.entries[id]?.connection else { continue }
                let current = connection.state(at: now)
                if rules.isOverdue(current) {
                    Self.close(&state.entries[id])
                } else if current.phase == .working || current.phase == .receiving || current.phase == .waiting {
                    lookForEnd(&state.entries[id], current)
                }
            }
        }
    }

    private func lookForEnd(_ entry: inout Entry?, _ current: ConnectionState) {
        // Bytes that came just now are still being read.
        guard let seen = entry, current.age > .milliseconds(50), !seen.connection.client.hasLeft else { return }
        guard Self.inputHasEnded(seen.connection.descriptor) else { return }
        if current.phase == .working { return seen.connection.client.leave() }
        // libmicrohttpd may just be working on the last bytes, so nothing may have changed since the look before.
        if let before = seen.endSeen, before.phase == current.phase, before.bytes == current.bytes,
            before.age <= current.age
        {
            Self.close(&entry)
        } else {
            entry?.endSeen = current
        }
    }

    /// The client has closed its side, and everything before that has been read.
    private static func inputHasEnded(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        return count == 0 || count < 0 && ![EAGAIN, EWOULDBLOCK, EINTR].contains(errno)
    }

    /// libmicrohttpd notices at once, and closes the descriptor. Under the lock, since the number may belong to another
    /// connection afterwards.
    private static func close(_ entry: inout Entry?) {
        guard let connection = entry?.connection, entry?.isClosing == false else { return }
        entry?.isClosing = true
        _ = shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }

    /// Closes one connection that does nothing, or the slowest, and waits for that before it closes another.
    func makeRoom() {
        let now = uptime()
        state.withLock { state in
            guard !state.entries.values.contains(where: \.isClosing) else { return }
            let candidates = state.entries.compactMap {
                id, entry -> (id: ObjectIdentifier, rank: Int, age: Duration)? in
                let current = entry.connection.state(at: now)
                return rules.rank(current).map { (id, $0, current.age) }
            }
            guard let first = candidates.min(by: { ($0.rank, $1.age) < ($1.rank, $0.age) }) else { return }
            Self.close(&state.entries[first.id])
        }
    }

    /// Closes connections whose clients hold memory and do not go on, the oldest first, until there are so many bytes.
    func relieve(_ count: Int, in phase: ConnectionState.Phase) {
        let now = uptime()
        state.withLock { state in
            let stalled = state.entries.map { (id: $0, current: $1.connection.state(at: now)) }
                .filter { rules.isStalled($0.current, in: phase) && $0.current.bytes > 0 }
                .sorted { $0.current.age > $1.current.age }
            var left = count
            for (id, current) in stalled where left > 0 {
                left -= current.bytes
                Self.close(&state.entries[id])
            }
        }
    }
}
