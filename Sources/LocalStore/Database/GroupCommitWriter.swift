import Dispatch
import GRDB
import StoreService
import Synchronization

/// The one writer of the file. Writes that wait while another transaction commits share the next one, so that
/// many writers pay for one sync of the disk. Each still succeeds or fails for itself, in a savepoint.
final class GroupCommitWriter: Sendable {
    private struct Job: Sendable {
        /// Does the work and keeps its result.
        let run: @Sendable (Database) throws -> Void
        /// Hands out the result; where that is none, the error that undid the transaction.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting {
        var jobs: [Job] = []
        var isDraining = false
    }

    private let queue: DatabaseQueue
    private let readLock: SharedReadLock
    private let watch: CommitWatch?
    /// Told when a transaction is on disk, before those learn of it who wait for it.
    let observers = Observers()
    private let waiting = Mutex(Waiting())
    /// How many writes one transaction takes at most, so that the first of them is not kept waiting for ever.
    private static let groupMax = 256

    init(queue: DatabaseQueue, readLock: SharedReadLock, watch: CommitWatch?) {
        self.queue = queue
        self.readLock = readLock
        self.watch = watch
    }

    /// Waits for what is being written, and closes the file.
    func close() { try? queue.close() }

    /// Runs `body` in a transaction of its own or a shared one.
    /// - Returns: when the transaction is on disk.
    /// - Throws: what `body` throws, then nothing of it is kept; `StoreError` where the commit failed.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = Mutex<Result<Value, any Error>?>(nil)
            enqueue(
                Job(
                    run: { db in
                        do {
                            let value = try body(db)
                            result.withLock { $0 = .success(value) }
                        } catch {
                            result.withLock { $0 = .failure(error) }
                            throw error
                        }
                    },
                    finish: { failure in
                        switch (result.withLock { $0 }, failure) {
                        case (.failure(let error), _):
                            continuation.resume(throwing: StoreError.wrapping(error, operation: "write"))
                        case (_, let failure?):
                            continuation.resume(throwing: StoreError.wrapping(failure, operation: "commit"))
                        case (.success(let value), nil): continuation.resume(returning: value)
                        case (nil, nil): preconditionFailure("a group that is on disk has run all of its jobs")
                        }
                    }))
        }
    }

    private func enqueue(_ job: Job) {
        if watch != nil {
            queue.writeWithoutTransaction { commit([job], in: $0) }
            return
        }
        let mustDrain = waiting.withLock { waiting in
            waiting.jobs.append(job)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        if mustDrain { drainLater() }
    }

    private func drainLater() {
        queue.asyncWriteWithoutTransaction { db in
            while let group = self.nextGroup() { self.commit(group, in: db) }
        }
    }

    private func nextGroup() -> [Job]? {
        waiting.withLock { waiting in
            if waiting.jobs.isEmpty {
                waiting.isDraining = false
                return nil
            }
            let group = Array(waiting.jobs.prefix(Self.groupMax))
            waiting.jobs.removeFirst(group.count)
            return group
        }
    }

    private func commit(_ group: [Job], in db: Database) {
        readLock.release()
        do {
            try db.beginTransaction(.immediate)
            // In a savepoint SQLite keeps the old pages of each statement that has a trigger, and walks through those of all
            // statements before: half of a first pull. Alone, a write is undone with the transaction.
            let isAlone = group.count == 1
            for job in group {
                do {
                    if isAlone { try job.run(db) } else { try db.inPreparedSavepoint { try job.run(db) } }
                } catch {
                    // A full disk makes SQLite undo the whole transaction, not only the savepoint.
                    if isAlone || !db.isInsideTransaction { throw error }
                }
            }
            try watch?.willCommit()
            try db.commit()
            readLock.release()
            try watch?.didCommit()
            observers.notify()
            for job in group { job.finish(nil) }
        } catch {
            if db.isInsideTransaction { try? db.rollback() }
            for job in group { job.finish(error) }
        }
    }
}
