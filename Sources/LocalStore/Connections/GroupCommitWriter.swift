import Dispatch
import Foundation
import GRDB
import StoreService
import Synchronization

/// The kinds of writes, which decide whether writes may share a transaction.
enum WriteKind {
    /// A page of a pull that has more pages, or a part of a page before its last part.
    case page
    /// The last page of a pull.
    case lastPage
    case other

    var isPage: Bool { self != .other }
}

/// Performs all writes of the file. Writes that arrive during a commit form a group, which shares one transaction and one flush
/// to disk. In a group of several writes, each write has a savepoint: if it throws, the other writes are kept.
final class GroupCommitWriter: Sendable {
    private struct Job: Sendable {
        let kind: WriteKind
        /// Performs the write and stores its result.
        let run: @Sendable (Database) throws -> Void
        /// Resumes the caller of the write: with the error of the whole transaction (the argument) if there is one,
        /// otherwise with the result or the error of the write.
        let finish: @Sendable ((any Error)?) -> Void
    }

    private struct Waiting {
        var pages: [Job] = []
        var others: [Job] = []
        var isDraining = false
    }

    private let queue: DatabaseQueue
    private let readLock: SharedReadLock
    private let executor: StoreExecutor
    private let watch: CommitWatch?
    /// Called after a commit, before the callers of the writes get their results.
    let observers = Observers()
    private let waiting = Mutex(Waiting())
    private let checkpoints = LogCheckpoints()
    private let recent: Mutex<RecentCommits>
    /// The thread that is performing writes now; nil if there is none.
    private let writingThread = Mutex<ObjectIdentifier?>(nil)
    /// The maximum number of writes in one transaction. It limits how long the first write of a transaction waits.
    private static let groupMax = 256

    /// - Parameter limits: the limits by which the rows of a pull are divided into writes.
    init(
        queue: DatabaseQueue, readLock: SharedReadLock, executor: StoreExecutor, watch: CommitWatch?,
        limits: RecentCommits.Limits
    ) throws {
        self.queue = queue
        self.readLock = readLock
        self.executor = executor
        self.watch = watch
        recent = Mutex(RecentCommits(limits))
        try queue.inDatabase { try checkpoints.begin(on: $0) }
    }

    /// The number of rows of a pull that the next write should store.
    var pageRows: Int { recent.withLock { $0.pageRows } }

    /// Commits the waiting writes, and closes the file.
    func close() {
        let isWriting = writingThread.withLock { $0 == ObjectIdentifier(Thread.current) }
        // This call must be reentrant: `close` runs on the writer's queue if a write holds the last reference to the store.
        queue.unsafeReentrantWrite(drain)
        // Inside a write, the connection cannot be closed. It is closed when `queue` is released after the write.
        if !isWriting { try? queue.close() }
    }

    /// Runs `body` in a transaction, which other writes may share. Returns when the transaction is on disk.
    /// - Throws: the error of `body`, after the changes of `body` are undone; `StoreError` if the commit fails.
    func write<Value: Sendable>(
        _ kind: WriteKind = .other, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = Mutex<Result<Value, any Error>?>(nil)
            enqueue(
                Job(
                    kind: kind,
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
            if job.kind.isPage { waiting.pages.append(job) } else { waiting.others.append(job) }
            defer { waiting.isDraining = true }
            return !waiting.isDraining
        }
        guard mustDrain else { return }
        executor.startWrites { self.queue.writeWithoutTransaction(self.drain) }
    }

    private func drain(_ db: Database) {
        let outer = writingThread.withLock { thread in
            defer { thread = ObjectIdentifier(Thread.current) }
            return thread
        }
        defer { writingThread.withLock { $0 = outer } }
        var isOfPages = false
        while var group = nextGroup(after: isOfPages) {
            let failure = commit(group, in: db)
            let endings = group.map(\.finish)
            let kinds = Set(group.map(\.kind))
            isOfPages = kinds.contains(where: \.isPage)
            let allowsLargeLog = recent.withLock { recent in
                recent.note(kinds)
                return recent.allowsLargeLog
            }
            // The writes may hold the store. They are released before their callers resume, so that the file is closed as soon as
            // a caller drops the store.
            group = []
            for finish in endings { finish(failure) }
            checkpoints.continueAfterCommit(on: db, allowsLargeLog: allowsLargeLog)
        }
    }

    /// Takes the next group of waiting writes. A page of a pull takes longer than a client's write, so a transaction has writes
    /// of only one of the two kinds. While both kinds wait, they take turns.
    private func nextGroup(after isAfterPages: Bool) -> [Job]? {
        waiting.withLock { waiting in
            let isOfPages = waiting.others.isEmpty || (!isAfterPages && !waiting.pages.isEmpty)
            let kind = isOfPages ? \Waiting.pages : \Waiting.others
            guard !waiting[keyPath: kind].isEmpty else {
                waiting.isDraining = false
                return nil
            }
            let group = Array(waiting[keyPath: kind].prefix(Self.groupMax))
            waiting[keyPath: kind].removeFirst(group.count)
            return group
        }
    }

    /// Performs the writes of a group in one transaction.
    /// - Returns: the error that rolled the transaction back, or that followed the commit; nil on success.
    private func commit(_ group: [Job], in db: Database) -> (any Error)? {
        readLock.release()
        do {
            try db.beginTransaction(.immediate)
            // A group of one write needs no savepoint: if the write throws, the whole transaction is rolled back. Savepoints took
            // half of the time of a first pull.
            let isAlone = group.count == 1
            for job in group {
                do {
                    if isAlone { try job.run(db) } else { try db.inPreparedSavepoint { try job.run(db) } }
                } catch {
                    // On a full disk SQLite rolls back the whole transaction, not only the savepoint.
                    if isAlone || !db.isInsideTransaction { throw error }
                }
            }
            try watch?.willCommit()
            try db.commit()
            readLock.release()
            try watch?.didCommit()
            observers.notify()
            return nil
        } catch {
            if db.isInsideTransaction { try? db.rollback() }
            return error
        }
    }
}
