import GRDB
import Synchronization

/// Keeps a read transaction open until the next write. A read locks a place in the log, and asks the kernel for it unless another
/// connection of this process holds the same lock. On two cores those system calls, and their waits for each other, took a fifth of
/// a `GET` by id.
final class SharedReadLock: Sendable {
    private struct State {
        var connection: DatabaseQueue?
        var isHeld = false
    }

    private let state = Mutex(State())
    /// The number of reads since the last write, up to `readsMin`.
    private let reads = Atomic<Int>(0)
    private let open: @Sendable () throws -> DatabaseQueue
    /// With fewer reads between two writes the lock costs more than it saves.
    private static let readsMin = 256

    init(open: @escaping @Sendable () throws -> DatabaseQueue) { self.open = open }

    /// Counts a read, and takes the lock once there are enough. Reads also work without the lock.
    func noteRead() {
        guard reads.load(ordering: .relaxed) < Self.readsMin,
            reads.wrappingAdd(1, ordering: .relaxed).newValue == Self.readsMin
        else { return }
        state.withLock { state in
            // A write may have come in between.
            guard !state.isHeld, reads.load(ordering: .relaxed) >= Self.readsMin,
                let connection = try? state.connection ?? open()
            else { return }
            state.isHeld = (try? connection.unsafeRead { try $0.execute(sql: "BEGIN; SELECT 1 FROM meta") }) != nil
            // Closing a connection ends its open transaction.
            state.connection = state.isHeld ? connection : nil
        }
    }

    /// Called before a write, so that SQLite can start its log from the beginning, and after it, because later reads lock another
    /// place of the log.
    func release() {
        guard reads.load(ordering: .relaxed) > 0 else { return }
        state.withLock { state in
            reads.store(0, ordering: .relaxed)
            guard state.isHeld, let connection = state.connection else { return }
            state.isHeld = false
            do {
                try connection.unsafeRead { try $0.execute(sql: "COMMIT") }
            } catch {
                state.connection = nil
            }
        }
    }

    func close() {
        release()
        state.withLock { $0.connection = nil }
    }
}
