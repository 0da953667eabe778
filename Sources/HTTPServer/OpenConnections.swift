import Synchronization

/// Counts connections. libmicrohttpd's own limit is not used: 0.9.75 keeps a lock for ever when a connection
/// that was handed to it meets that limit.
final class OpenConnections: Sendable {
    private let count = Mutex(0)
    private let limit: Int
    private let roomAgain: @Sendable () -> Void

    /// - Parameter roomAgain: called when a connection closes while the limit is reached.
    init(limit: Int, roomAgain: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.roomAgain = roomAgain
    }

    var hasRoom: Bool { count.withLock { $0 < limit } }

    func opened() {
        count.withLock { $0 += 1 }
    }

    func closed() {
        let wasFull = count.withLock { count in
            count -= 1
            return count == limit - 1
        }
        if wasFull { roomAgain() }
    }
}
