/// The latest changes in memory, for streams that are up to date: at most `eventsMax` changes, and at most `bytesMax` bytes.
struct FeedWindow {
    enum ReadResult {
        /// The next changes in the requested classes, and the reader's position after these changes.
        case events([FeedEvent], position: Int64)
        /// The window lacks changes after the reader's position. The latest change is `by` numbers above that position.
        case behind(by: Int64)
    }

    /// The maximum number of events given to a stream at a time.
    private static let eventsAtOnceMax = 32
    private static let bytesAtOnceMax = 64 << 10

    /// The number of the latest known change.
    private(set) var newest: Int64
    /// The number of the last feed entry that a change of roles or permissions has added.
    private(set) var rightsChangedAt: Int64 = 0
    /// The window contains every change above this number, up to `newest`.
    private var start: Int64
    /// The elements from index `head` on are the events of the window, in order. Earlier elements have left the window.
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

    /// Appends changes that were read after a position. Skips changes that the window already has. Does nothing if the window
    /// ends before the position, because the changes in between would be missing.
    /// - Parameters:
    ///   - more: the changes, in order.
    ///   - newest: the number up to which `more` contains every change after the position.
    ///   - rightsChangedAt: the number of the last feed entry that a change of roles or permissions has added.
    mutating func append(
        _ more: [FeedEvent], after position: Int64, newest: Int64, rightsChangedAt: Int64 = 0
    ) {
        guard position <= self.newest else { return }
        self.rightsChangedAt = max(self.rightsChangedAt, rightsChangedAt)
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

    /// The index of the first event after the position.
    private func place(after position: Int64) -> Int {
        var (low, high) = (head, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].number > position { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
