/// The latest changes, within a bound: streams that keep up read from here.
struct FeedWindow {
    enum Look {
        /// Changes after the position, and the number up to which there are no others.
        case events([FeedEvent], position: Int64)
        /// The window no longer has them.
        case behind(by: Int64)
    }

    /// How many a stream is given at a time.
    private static let eventsAtOnceMax = 32
    private static let bytesAtOnceMax = 64 << 10

    /// The number of the latest change that has been seen.
    private(set) var newest: Int64
    /// The number before the first change of the window.
    private var start: Int64
    /// Those before `head` are gone.
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

    /// Takes changes that were read after a position; known ones are overlooked, and all where some before them are missing.
    /// - Parameters:
    ///   - more: in their order.
    ///   - newest: up to which there are no others.
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

    /// - Parameter classes: nil for all.
    func look(after position: Int64, _ classes: Set<String>?) -> Look {
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

    /// Of the first event with a higher number.
    private func place(after position: Int64) -> Int {
        var (low, high) = (head, events.count)
        while low < high {
            let middle = (low + high) / 2
            if events[middle].number > position { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
