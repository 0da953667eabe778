import ParseModel
import Synchronization

/// Generates the timestamps of writes. With `keepsOrder` they never decrease, even when the clock is set back.
final class WriteStamps: Sendable {
    private let last: Mutex<ParseDate>
    private let keepsOrder: Bool
    private let now: @Sendable () -> ParseDate

    init(after last: ParseDate, keepsOrder: Bool, now: @escaping @Sendable () -> ParseDate) {
        self.last = Mutex(last)
        self.keepsOrder = keepsOrder
        self.now = now
    }

    func next() -> ParseDate {
        last.withLock { last in
            last = keepsOrder ? max(last, now()) : now()
            return last
        }
    }
}
