import GRDB
import Synchronization

/// Keeps a read transaction open as long as nothing is written. A read locks a place in the log; where another connection of
/// this process has it locked too, it does so without asking the kernel. On two cores a fifth of a `GET` by id was that
/// question, and waiting for whoever asked at the same time.
final class SharedReadLock: Sendable {
    private struct State {
        var connection: DatabaseQueue?
        var isHeld = false
    }

    private let state = Mutex(State())
    /// Since something was written; no longer counted once there are enough.
    private let reads = Atomic<Int>(0)
    private let open: @Sendable () throws -> DatabaseQueue
    /// Few reads between writes gain less than the lock costs.
    private static let readsMin = 256

    init(open: @escaping @Sendable () throws -> DatabaseQueue) { self.open = open }

    /// Notes that there is something to read. The file is read as well without the lock.
    func noteRead() {
        guard reads.load(ordering: .relaxed) < Self.readsMin,
            reads.wrappingAdd(1, ordering: .relaxed).newValue == Self.readsMin
        else { return }
        state.withLock { state in
            // Something may have been written meanwhile.
            guard !state.isHeld, reads.load(ordering: .relaxed) >= Self.readsMin,
                let connection = try? state.connection ?? open()
            else { return }
            state.isHeld = (try? connection.unsafeRead { try $0.execute(sql: "BEGIN; SELECT 1 FROM meta") }) != nil
            // Closing it ends an open transaction.
            state.connection = state.isHeld ? connection : nil
        }
    }

    /// Before something is written, so that SQLite can begin its log anew, and after it, since those who read then lock another
    /// place.
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
