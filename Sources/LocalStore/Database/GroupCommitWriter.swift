import Dispatch
import GRDB
import StoreService
import Synchronization

/// The only writer of the file. Writes that wait while a transaction commits share the next one, so that many writers pay for one
/// sync of the disk. Each write still succeeds or fails alone, in a savepoint.
final class GroupCommitWriter: Sendable {
    private struct Job: Sendable {
        /// Does the work and keeps its result.
        let run: @Sendable (Database) throws -> Void
        /// Hands out the result, or the error that undid the transaction.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting {
        var jobs: [Job] = []
        var isDraining = false
    }

    private let queue: DatabaseQueue
    private let readLock: SharedReadLock
    private let executor: StoreExecutor
    private let watch: CommitWatch?
    /// Notified when a transaction is on disk, before its writers get their results.
    let observers = Observers()
    private let waiting = Mutex(Waiting())
    /// The most writes in one transaction. It bounds how long the first of them waits.
    private static let groupMax = 256

    init(queue: DatabaseQueue, readLock: SharedReadLock, executor: StoreExecutor, watch: CommitWatch?) {
        self.queue = queue
        self.readLock = readLock
        self.executor = executor
        self.watch = watch
    }

    /// Commits the waiting writes, and closes the file.
    func close() {
        // A write's own thread may be the last to let the store go.
        queue.unsafeReentrantWrite(drain)
        try? queue.close()
    }

    /// Runs `body` in a transaction of its own or a shared one. Returns when the transaction is on disk.
    /// - Throws: the error of `body`, whose changes are then undone; `StoreError` if the commit failed.
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
        let mustDrain = waiting.withLock { waiting in
            waiting.jobs.append(job)
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        guard mustDrain else { return }
        executor.startWrites { self.queue.writeWithoutTransaction(self.drain) }
    }

    private func drain(_ db: Database) {
        while let group = nextGroup() { commit(group, in: db) }
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
            // statements before: half of a first pull. A single write needs none, because it is undone with the transaction.
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
