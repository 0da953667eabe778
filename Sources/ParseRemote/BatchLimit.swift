import RemoteService
import Synchronization

/// The size of the batches that a server accepts, learned from its refusals. Has no side effects.
///
/// A refused batch is sent again as two halves. The limit doubles after many accepted batches, up to the configured
/// maximum: the reason of the refusal may have been temporary.
struct BatchLimit: Sendable, Hashable {
    /// The number of full batches that a server must accept before a limit doubles.
    static let batchesBeforeGrowth = 64

    /// The maximum number of operations or queries in one batch.
    private(set) var count: Int
    /// The maximum total size of a batch's items, in bytes; nil before the server has refused a body for its size.
    private(set) var bytes: Int?
    /// The largest value that `count` may grow to: the configured maximum, or the limit that the server has named.
    private var countMax: Int
    /// The number of full batches that were accepted since the limit last changed.
    private var accepted = 0

    init(countMax: Int) {
        self.countMax = max(1, countMax)
        count = self.countMax
    }

    /// Handles the refusal of a batch for its number of items.
    /// - Parameter named: the limit that the server has named; nil for none.
    mutating func noteRefusal(ofCount refused: Int, named: Int?) {
        if let named, named < refused {
            note(named: named)
        } else {
            count = min(count, max(1, refused / 2))
        }
        accepted = 0
    }

    /// Handles a limit that the server has named.
    mutating func note(named: Int) {
        countMax = min(countMax, max(1, named))
        count = min(count, countMax)
    }

    /// Handles the refusal of a batch for the size of its body.
    mutating func noteRefusal(ofBytes refused: Int) {
        bytes = min(bytes ?? .max, max(1, refused / 2))
        accepted = 0
    }

    /// Handles an accepted batch.
    /// - Parameter bytes: the size of the items; nil if it is unknown.
    mutating func noteAccepted(count accepted: Int, bytes size: Int?) {
        let isFull = accepted * 2 > count || self.bytes.map { limit in (size ?? 0) * 2 > limit } == true
        guard count < countMax || bytes != nil, isFull else { return }
        self.accepted += 1
        guard self.accepted >= Self.batchesBeforeGrowth else { return }
        self.accepted = 0
        count = min(countMax, count * 2)
        bytes = bytes.map { $0 > .max / 2 ? $0 : $0 * 2 }
    }

    /// Divides items into batches that the limits allow.
    /// - Parameter sizes: the sizes of the items in bytes. Before the server has refused a body for its size, the sizes
    ///   are ignored.
    /// - Returns: the range of the items of each batch. An item that is larger than the limit is alone in a batch.
    func batches(of sizes: [Int]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var (start, sum) = (0, 0)
        for (place, size) in sizes.enumerated() {
            let isTooLarge = bytes.map { sum + size > $0 } ?? false
            if place > start, place - start >= count || isTooLarge {
                batches.append(start..<place)
                (start, sum) = (place, 0)
            }
            sum += size
        }
        if start < sizes.count { batches.append(start..<sizes.count) }
        return batches
    }
}

/// The batch limit of one server, for reads and writes. If the server has named the limit itself, the limit is also
/// stored for the next start of the program.
final class SharedBatchLimit: Sendable {
    private let limit: Mutex<BatchLimit>
    private let named: RemoteLimits

    init(countMax: Int, named: RemoteLimits) {
        limit = Mutex(BatchLimit(countMax: countMax))
        self.named = named
    }

    var current: BatchLimit {
        let named = named.current.batch
        return limit.withLock { limit in
            if let named { limit.note(named: named) }
            return limit
        }
    }

    /// Handles the refusal of a batch for its number of items.
    /// - Parameter named: the limit that the server has named; nil for none.
    func noteRefusal(ofCount refused: Int, named: Int?) async {
        change { $0.noteRefusal(ofCount: refused, named: named) }
        if let named, named < refused { await self.named.note(.init(batch: named)) }
    }

    func change(_ body: (inout BatchLimit) -> Void) { limit.withLock { body(&$0) } }
}
