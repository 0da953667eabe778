import Synchronization

/// A memory limit in bytes that several requests or responses share.
package final class ByteBudget: Sendable {
    private let bytesFree: Atomic<Int>

    package init(bytesMax: Int) {
        bytesFree = Atomic(bytesMax)
    }

    /// Reserves `count` bytes.
    /// - Returns: false if fewer bytes are free. Then nothing is reserved.
    package func reserve(_ count: Int) -> Bool {
        let bytesLeft = bytesFree.subtract(count, ordering: .relaxed).newValue
        if bytesLeft >= 0 { return true }
        release(count)
        return false
    }

    /// Frees `count` reserved bytes.
    package func release(_ count: Int) {
        bytesFree.add(count, ordering: .relaxed)
    }
}
