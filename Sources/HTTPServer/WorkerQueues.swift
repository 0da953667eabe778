/// Counts, for each thread of libmicrohttpd, the connections whose first request it has not read yet.
///
/// libmicrohttpd 0.9.75 asks `epoll_wait` for 128 events at a time. After exactly 128 of them it asks again, and may then wait for the
/// idle timeout before it handles the first ones. So a thread is given fewer new connections than that at a time.
struct WorkerQueues {
    private var counts: [Int]
    /// The maximum number of such connections of a thread. The rest of the 128 events is left to earlier connections.
    static let countMax = 64

    init(threads: Int) { counts = Array(repeating: 0, count: max(1, threads)) }

    /// libmicrohttpd chooses the thread of a socket by its number.
    private func worker(of descriptor: Int32) -> Int { Int(descriptor) % counts.count }

    func hasRoom(for descriptor: Int32) -> Bool { counts[worker(of: descriptor)] < Self.countMax }

    mutating func add(_ descriptor: Int32) { counts[worker(of: descriptor)] += 1 }

    /// - Returns: whether the thread had no room before.
    mutating func remove(_ descriptor: Int32) -> Bool {
        let worker = worker(of: descriptor)
        defer { counts[worker] -= 1 }
        return counts[worker] == Self.countMax
    }
}
