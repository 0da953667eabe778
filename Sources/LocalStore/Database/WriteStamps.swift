import ParseModel
import Synchronization

/// The times of writes. They never go back, also when the clock does.
final class WriteStamps: Sendable {
    private let last: Mutex<ParseDate>
    private let now: @Sendable () -> ParseDate

    init(after last: ParseDate, now: @escaping @Sendable () -> ParseDate) {
        self.last = Mutex(last)
        self.now = now
    }

    func next() -> ParseDate {
        last.withLock { last in
            last = max(last, now())
            return last
        }
    }
}
