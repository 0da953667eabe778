import Foundation
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Synchronization
import Testing

/// Tests the cache of objects in memory, which serves repeated reads.
@Suite("Cached objects")
struct ObjectCacheTests {
    private let store: LocalStore

    init() throws { store = try LocalStore.make(.replica) }

    @Test func aCachedReadShowsTheLatestWrite() async throws {
        let id = try await store.create(["n": 0])
        for n in 1...5 {
            #expect(try store.object("Holiday", id)?.fields(of: "Holiday")["n"] == .int(n - 1))
            try await store.update(id, ["n": .int(n)])
        }
        try await store.write(.delete(className: "Holiday", objectId: id))
        #expect(try store.object("Holiday", id) == nil)
    }

    /// The write of the missing object fails, so the whole atomic group is undone.
    @Test func anUndoneWriteKeepsTheCachedObject() async throws {
        let id = try await store.create(["n": 1])
        let before = try #require(try store.object("Holiday", id))
        let results = await store.perform(
            [
                .update(className: "Holiday", objectId: id, body: ["n": 2]),
                .update(className: "Holiday", objectId: "missing", body: ["n": 2]),
            ], as: .master, atomically: true)
        #expect(results.allSatisfy { (try? $0.get()) == nil })
        #expect(try store.object("Holiday", id) == before)
    }

    @Test func aCachedReadShowsTheLatestPull() async throws {
        for n in 1...3 {
            try await store.pull([.make("known", ["n": .int(n)], updatedMs: Int64(n) * 1000)])
            #expect(try store.object("Holiday", "known")?.fields(of: "Holiday")["n"] == .int(n))
        }
    }

    @Test func anAcknowledgedCreateIsReadByItsLocalAndRemoteIds() async throws {
        let id = try await store.create(["n": 1])
        #expect(try store.object("Holiday", id)?.state == .created)
        try await store.push(id, .applied("remote", createdMs: 1000, updatedMs: 1000))
        for id in [id, "remote"] {
            let object = try #require(try store.object("Holiday", id))
            #expect(object.objectId == "remote")
            #expect(object.state == .synced)
        }
    }

    /// The write of one object adds a relation field to all other objects of the class.
    @Test func aNewRelationFieldIsShownByAllObjects() async throws {
        let store = try LocalStore.make(.standalone)
        let (one, other) = (try await store.create(["n": 1]), try await store.create(["n": 2]))
        #expect(try store.object("Holiday", other)?.fields(of: "Holiday")["guests"] == nil)
        let guests: JSONValue = [
            "__op": "AddRelation", "objects": [Pointer(className: "Guest", objectId: "ada").json],
        ]
        try await store.update(one, ["guests": guests])
        #expect(try store.object("Holiday", other)?.fields(of: "Holiday")["guests"] != nil)
    }

    @Test func aCachedReadAppliesTheACLOfTheLatestWrite() async throws {
        let store = try LocalStore.make(.standalone)
        let id = try await store.create(["n": 1])
        #expect(try store.object("Holiday", id, as: .public) != nil)
        try await store.update(id, ["ACL": ["ada": ["read": true]]])
        #expect(try store.object("Holiday", id, as: .public) == nil)
        #expect(try store.object("Holiday", id) != nil)
        try await store.update(id, ["ACL": ["*": ["read": true]]])
        #expect(try store.object("Holiday", id, as: .public) != nil)
    }

    @Test func objectsDroppedFromTheCacheAreReadAgain() async throws {
        let id = try await store.create(["n": 1])
        let before = try store.object("Holiday", id)
        for _ in 1...3 {
            store.dropUnusedObjects()
            #expect(try store.object("Holiday", id) == before)
        }
    }

    /// There are more objects than fit into the cache.
    @Test func objectsBeyondTheCacheSizeAreReadFromTheDatabase() async throws {
        let store = try LocalStore.make { $0.objectCacheBytesMax = 20_000 }
        var ids: [String] = []
        for n in 0..<200 { ids.append(try await store.create(["n": .int(n)])) }
        for _ in 1...2 {
            for (n, id) in ids.enumerated() {
                #expect(try store.object("Holiday", id)?.fields(of: "Holiday")["n"] == .int(n))
            }
        }
    }

    /// Reads on other threads, while the object changes, never go back to an earlier state.
    @Test func concurrentReadsNeverReturnAnEarlierState() async throws {
        let id = try await store.create(["n": 0])
        let acknowledged = Atomic(0)
        let isOver = Atomic(false)
        let failures = Mutex<[String]>([])
        let read = { @Sendable [store] in
            var last = 0
            while !isOver.load(ordering: .acquiring) {
                let least = max(last, acknowledged.load(ordering: .acquiring))
                let n = (try? store.object("Holiday", id)?.fields(of: "Holiday")["n"]?.int) ?? -1
                if n < least { failures.withLock { $0.append("\(n) after \(least)") } }
                last = n
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 1...2 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            read()
                            continuation.resume()
                        }
                    }
                }
            }
            for n in 1...300 {
                do { try await store.update(id, ["n": .int(n)]) } catch { Issue.record(error) }
                acknowledged.store(n, ordering: .releasing)
            }
            isOver.store(true, ordering: .releasing)
        }
        #expect(failures.withLock { $0 } == [])
    }
}
