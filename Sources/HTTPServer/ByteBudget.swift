import Synchronization

/// Bounds the memory that several users have together.
package final class ByteBudget: Sendable {
    private let bytesFree: Atomic<Int>

    package init(bytesMax: Int) {
        bytesFree = Atomic(bytesMax)
    }

    /// Takes `count` bytes, or nothing where fewer are left.
    package func reserve(_ count: Int) -> Bool {
        let left = bytesFree.subtract(count, ordering: .relaxed).newValue
        if left >= 0 { return true }
        release(count)
        return false
    }

    package func release(_ count: Int) {
        bytesFree.add(count, ordering: .relaxed)
    }
}
