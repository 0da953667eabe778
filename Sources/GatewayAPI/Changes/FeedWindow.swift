/// The latest changes, at most `eventsMax` with at most `bytesMax` bytes. Streams that are up to date read them.
struct FeedWindow {
    enum ReadResult {
        /// The next changes of the classes after the old position, and the new position. There are no others up to the new one.
        case events([FeedEvent], position: Int64)
        /// The window begins after the position, which is `by` change numbers before the latest change.
        case behind(by: Int64)
    }

    /// The largest number of events given to a stream at a time.
    private static let eventsAtOnceMax = 32
    private static let bytesAtOnceMax = 64 << 10

    /// The number of the latest known change.
    private(set) var newest: Int64
    /// The number before the first change of the window.
    private var start: Int64
    /// The events of the window; those before `head` are removed.
    private var events: [FeedEvent] = []
    private var head = 0
    private var byteCount = 0
    private let eventsMax: Int
    private let bytesMax: Int

    init(at newest: Int64, eventsMax: Int = 4096, bytesMax: Int = 8 << 20) {
        self.newest = newest
        start = newest
        self.eventsMax = eventsMax
        self.bytesMax = bytesMax
    }

    /// Appends changes that were read after a position. Known changes are skipped. If the window lacks changes up to that
    /// position, nothing is appended.
    /// - Parameters:
    ///   - more: the changes, in order.
    ///   - newest: the number up to which there are no other changes.
    mutating func append(_ more: [FeedEvent], after position: Int64, newest: Int64) {
        guard position <= self.newest else { return }
        for event in more where event.number > self.newest {
            events.append(event)
            byteCount += event.byteCount
        }
        self.newest = max(self.newest, newest)
        while events.count - head > eventsMax || byteCount > bytesMax, head < events.count {
            byteCount -= events[head].byteCount
            start = events[head].number
            head += 1
        }
        guard head * 2 > events.count else { return }
        events.removeFirst(head)
        head = 0
    }

    /// Reads the next changes after a position.
    /// - Parameter classes: the classes whose changes are read; nil for all.
    func read(after position: Int64, _ classes: Set<String>?) -> ReadResult {
        guard position >= start else { return .behind(by: newest - position) }
        var found: [FeedEvent] = []
        var bytesLeft = Self.bytesAtOnceMax
        for event in events[place(after: position)...] where classes?.contains(event.className) != false {
            found.append(event)
            bytesLeft -= event.byteCount
            if found.count == Self.eventsAtOnceMax || bytesLeft <= 0 { return .events(found, position: event.number) }
        }
        return .events(found, position: max(position, newest))
    }

    /// The index of the first event with a higher number.
    private func place(after position: Int64) -> Int {
        var (low, high) = (head, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].number > position { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
