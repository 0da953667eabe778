import Synchronization

/// Bounds the memory of all request bodies together.
final class BodyBudget: Sendable {
    private let bytesFree: Atomic<Int>

    init(bytesMax: Int) {
        bytesFree = Atomic(bytesMax)
    }

    /// Takes `count` bytes, or nothing where fewer are left.
    func reserve(_ count: Int) -> Bool {
        let left = bytesFree.subtract(count, ordering: .relaxed).newValue
        if left >= 0 { return true }
        release(count)
        return false
    }

    func release(_ count: Int) {
        bytesFree.add(count, ordering: .relaxed)
    }
}
