import GRDB
import ParseModel
import StoreService
import StoreSupport
import Synchronization
import Testing

@testable import LocalStore

@Suite("Group commit")
struct GroupCommitTests {
    @Test func theWritesOfManyConcurrentWritersAreAllStored() async throws {
        let store = try LocalStore.make()
        let count = 300
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for n in 0..<count { group.addTask { try await store.create(["n": .int(n)]) } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(Set(ids).count == count)
        let found = try store.find("Holiday", ParseQuery(limit: 1000)).objects
        #expect(Set(found.map(\.objectId)) == Set(ids))
        let numbers = try store.changes(since: 0, classes: nil, limit: 1000).entries.map(\.number)
        #expect(numbers == Array(1...Int64(count)))
    }

    /// A write that holds the last reference to its store closes the file on the writer's own queue.
    @Test func aWriteThatReleasesTheStoreClosesTheFile() async throws {
        let queue = try DatabaseQueue()
        let writer = try GroupCommitWriter(
            queue: queue, readLock: SharedReadLock { try DatabaseQueue() }, executor: .threads(), watch: nil,
            limits: RecentCommits.Limits())
        try await writer.write { db in
            try db.execute(sql: "CREATE TABLE notes (text)")
            writer.close()
        }
        #expect(try await queue.read { try $0.tableExists("notes") })
    }

    @Test func aFailedWriteDoesNotAffectConcurrentWrites() async throws {
        let store = try LocalStore.make()
        try await store.create(["n": 0])
        let outcomes = await withTaskGroup(of: (n: Int, id: String?).self) { group in
            for n in 1...200 {
                let value: JSONValue = n.isMultiple(of: 3) ? "not a number" : .int(n)
                group.addTask { (n, try? await store.create(["n": value])) }
            }
            return await group.reduce(into: [(n: Int, id: String?)]()) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { ($0.id == nil) == $0.n.isMultiple(of: 3) })
        for case (let n, let id?) in outcomes { #expect(try store.fields(id) == ["n": .int(n)]) }
        #expect(try store.ids(["limit": 1000]).count == 1 + 134)
    }

    @Test func concurrentIncrementsOfOneObjectAddUp() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["n": 0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await store.update(id, ["n": .increment(1)]) } }
            try await group.waitForAll()
        }
        #expect(try store.fields(id) == ["n": 100])
    }

    @Test func aWriteOfAGroupSeesTheEarlierOnes() async throws {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        let results = await store.perform(
            [
                .create(className: "Holiday", body: ["objectId": "a", "n": 1]),
                .update(className: "Holiday", objectId: "a", body: ["n": .increment(1)]),
                .create(className: "Holiday", body: ["n": "wrong"]),
                .update(className: "Holiday", objectId: "a", body: ["n": .increment(1)]),
            ], atomically: false)
        #expect(results.map { (try? $0.get()) != nil } == [true, true, false, true])
        #expect(try store.fields("a") == ["n": 3])
    }

    @Test func anAtomicGroupIsStoredCompletelyOrNotAtAll() async throws {
        let store = try LocalStore.make()
        let create = WriteRequest.create(className: "Holiday", body: ["n": 1])
        let failed = await store.perform(
            [create, .update(className: "Holiday", objectId: "nope", body: ["n": 2]), create], atomically: true)
        #expect(failed.count == 3)
        for result in failed { #expect(throws: ParseError.objectNotFound) { try result.get() } }
        #expect(try store.ids().isEmpty)
        #expect(try store.classNames().isEmpty)
        #expect(try store.changes(since: 0, classes: nil, limit: 10).entries.isEmpty)

        let done = await store.perform([create, create], atomically: true)
        #expect(done.allSatisfy { (try? $0.get()) != nil })
        #expect(try store.ids().count == 2)
    }

    @Test func aFailedAtomicGroupDoesNotAffectOtherWriters() async throws {
        let store = try LocalStore.make()
        let create = WriteRequest.create(className: "Holiday", body: ["n": 1])
        let missing = WriteRequest.delete(className: "Holiday", objectId: "nope")
        await withTaskGroup { group in
            for n in 0..<100 {
                group.addTask {
                    _ = await store.perform(n.isMultiple(of: 2) ? [create] : [create, missing], atomically: true)
                }
            }
        }
        #expect(try store.ids(["limit": 1000]).count == 50)
    }

    /// The test uses the executor of deterministic runs, where a group commits after all tasks that were ready before
    /// it.
    @Test func aFailedCommitFailsEachWriteOfItsGroup() async throws {
        let executor = SerialExecutor()
        let state = Mutex((isFailing: true, commitCount: 0))
        let store = try LocalStore.make {
            $0.executor = .deterministic { executor.run($0) }
            $0.watch = CommitWatch(willCommit: {
                let isFailing = state.withLock { state in
                    state.commitCount += 1
                    return state.isFailing
                }
                if isFailing { throw StoreError.diskFull }
            })
        }
        let createThree: @Sendable () async -> [String?] = {
            await withTaskGroup(of: String?.self) { group in
                for n in 0..<3 { group.addTask { try? await store.create(["n": .int(n)]) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        let failed = await Task(executorPreference: executor, operation: createThree).value
        #expect(failed == [nil, nil, nil])
        #expect(state.withLock { $0.commitCount } == 1)
        #expect(try store.ids().isEmpty)

        state.withLock { $0.isFailing = false }
        let created = await Task(executorPreference: executor, operation: createThree).value
        #expect(state.withLock { $0.commitCount } == 2)
        #expect(try Set(store.ids()) == Set(created.compactMap(\.self)))
        #expect(created.allSatisfy { $0 != nil })
        #expect(try store.changes(since: 0, classes: nil, limit: 10).entries.map(\.number) == [1, 2, 3])
    }

    /// One write of a commit group fails. The other writes of the group are on disk.
    @Test func aFailedWriteOfAGroupUndoesOnlyItself() async throws {
        let executor = SerialExecutor()
        let store = try LocalStore.make { $0.executor = .deterministic { executor.run($0) } }
        let outcomes = await Task(executorPreference: executor) {
            await withTaskGroup(of: String?.self) { group in
                group.addTask { try? await store.create(["n": 1]) }
                group.addTask {
                    try? await store.transactions.write { transaction -> String? in
                        try transaction.db.execute(sql: "DELETE FROM objects")
                        throw ParseError.objectNotFound
                    }
                }
                group.addTask { try? await store.create(["n": 3]) }
                return await group.reduce(into: [String?]()) { $0.append($1) }
            }
        }.value
        let ids = outcomes.compactMap(\.self)
        #expect(ids.count == 2)
        #expect(try Set(store.ids()) == Set(ids))
    }

    /// Pages of pulls and other writes that wait at the same time are in different transactions, and take turns. A transaction has at most
    /// 256 writes.
    @Test func transactionsOfPulledPagesAndOfOtherWritesAlternate() async throws {
        let executor = SerialExecutor()
        let commits = Mutex(0)
        let store = try LocalStore.make {
            $0.executor = .deterministic { executor.run($0) }
            $0.watch = CommitWatch(didCommit: { commits.withLock { $0 += 1 } })
        }
        commits.withLock { $0 = 0 }
        let write: @Sendable (WriteKind) async -> Int? = { kind in
            try? await store.transactions.write(kind: kind) { _ in commits.withLock(\.self) }
        }
        let transactions = await Task(executorPreference: executor) {
            await withTaskGroup(of: (isPage: Bool, transaction: Int?).self) { group in
                for n in 0..<900 {
                    let kind: WriteKind = n.isMultiple(of: 3) ? .page : .other
                    group.addTask { (kind.isPage, await write(kind)) }
                }
                return await group.reduce(into: [(isPage: Bool, transaction: Int?)]()) { $0.append($1) }
            }
        }.value
        let pages = Dictionary(grouping: transactions.filter(\.isPage), by: \.transaction).mapValues(\.count)
        let others = Dictionary(grouping: transactions.filter { !$0.isPage }, by: \.transaction).mapValues(\.count)
        #expect(pages == [0: 256, 2: 44])
        #expect(others == [1: 256, 3: 256, 4: 88])
    }

    @Test func aFullDiskIsReportedAndAnsweredWritesAreKept() async throws {
        let store = try LocalStore.make()
        try await store.create(["n": 0])
        let pages = try await store.transactions.write { transaction in
            let used = try Int.fetchOne(transaction.db, sql: "PRAGMA page_count") ?? 0
            return try Int.fetchOne(transaction.db, sql: "PRAGMA max_page_count = \(used + 20)") ?? 0
        }
        #expect(pages > 20)
        let text = JSONValue.string(String(repeating: "x", count: 3000))
        let outcomes = await withTaskGroup(of: Result<String, any Error>.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do { return .success(try await store.create(["text": text])) } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: [Result<String, any Error>]()) { $0.append($1) }
        }
        let ids = outcomes.compactMap { try? $0.get() }
        #expect(ids.count < 100)
        for case .failure(let error) in outcomes { #expect(error as? StoreError == .diskFull) }
        for id in ids { #expect(try store.fields(id) == ["text": text]) }
        #expect(try store.ids(["limit": 1000]).count == 1 + ids.count)

        try await store.transactions.write { _ = try Int.fetchOne($0.db, sql: "PRAGMA max_page_count = 1000000") }
        try await store.create(["text": text])
    }
}
