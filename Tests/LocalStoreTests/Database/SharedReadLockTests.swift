import Foundation
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

@Suite("Shared read lock")
struct SharedReadLockTests {
    /// A number of reads after which the store keeps a read transaction open for further reads.
    private static let readsMany = 600

    @Test func aWriteIsVisibleDespiteASharedReadLock() async throws {
        let store = try LocalStore.make()
        let id = try await store.create(["n": 0])
        for n in 1...3 {
            for _ in 0..<Self.readsMany { #expect(try store.fields(id) == ["n": .int(n - 1)]) }
            try await store.update(id, ["n": .int(n)])
        }
        #expect(try store.fields(id) == ["n": 3])
    }

    @Test func theWriteAheadLogRestartsDespiteManyReads() async throws {
        let directory = try TemporaryDirectory()
        let store = try LocalStore.make(in: directory)
        let id = try await store.create(["text": ""])
        let text = JSONValue.string(String(repeating: "x", count: 100_000))
        // Each round fills the log beyond the thousand pages after which it is copied into the file.
        for _ in 0..<6 {
            for _ in 0..<Self.readsMany { _ = try store.object("Holiday", id) }
            for _ in 0..<60 { try await store.create(["text": text]) }
        }
        let log = try FileManager.default.attributesOfItem(atPath: directory.path + "/tidegate.sqlite-wal")
        let size = try #require(log[.size] as? Int)
        #expect(size < 12 << 20)
    }

    @Test func aClosedStoreLeavesNoWriteAheadLog() async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(in: directory)
        let id = try await #require(store).create(["n": 1])
        for _ in 0..<Self.readsMany { _ = try store?.object("Holiday", id) }
        store = nil
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(!names.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
    }
}
