import Foundation
import GRDB
import StoreSupport
import Testing

@testable import LocalStore

/// A checkpoint shows in the size of the database file: until then, written pages are in the write-ahead log.
@Suite("Checkpoints of the write-ahead log")
struct LogCheckpointTests {
    private let directory = try! TemporaryDirectory()
    private var path: String { directory.path + "/file" }
    private static let megabyte = 1 << 20

    private func makeWriter() throws -> GroupCommitWriter {
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        var configuration = Configuration()
        configuration.journalMode = .wal
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "CREATE TABLE texts (text BLOB)")
        }
        return try GroupCommitWriter(
            queue: queue, readLock: SharedReadLock { [path] in try DatabaseQueue(path: path) }, executor: .threads(),
            watch: nil, limits: RecentCommits.Limits(commitsOfPagesMin: 3))
    }

    /// Writes a megabyte with each of several commits.
    /// - Returns: the size of the database file afterwards, in megabytes.
    private func size(_ writer: GroupCommitWriter, after count: Int, _ kind: WriteKind) async throws -> Int {
        for _ in 0..<count {
            try await writer.write(kind) {
                try $0.execute(sql: "INSERT INTO texts VALUES (zeroblob(\(Self.megabyte)))")
            }
        }
        // The checkpoint follows the end of the write. An empty write begins after it.
        try await writer.write(kind) { _ in }
        return try fileSize(path)
    }

    private func fileSize(_ path: String) throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        return (size ?? 0) / Self.megabyte
    }

    @Test func clientWritesStartACheckpointAtFourMegabytes() async throws {
        let writer = try makeWriter()
        #expect(try await size(writer, after: 2, .other) == 0)
        #expect(try await size(writer, after: 4, .other) >= 4)
        #expect(try await size(writer, after: 20, .other) >= 20)
        #expect(try fileSize(path + "-wal") < 8)
    }

    @Test func pulledPagesAloneStartACheckpointAtSixtyMegabytes() async throws {
        let writer = try makeWriter()
        #expect(try await size(writer, after: 50, .page) == 0)
        #expect(try await size(writer, after: 20, .page) >= 60)
        #expect(try fileSize(path + "-wal") < 70)
    }

    @Test func theLastPageOfAPullStartsACheckpoint() async throws {
        let writer = try makeWriter()
        #expect(try await size(writer, after: 20, .page) == 0)
        #expect(try fileSize(path + "-wal") >= 20)
        #expect(try await size(writer, after: 1, .lastPage) >= 20)
        // The next write makes the file of the log smaller. Clients' writes then have the usual log.
        _ = try await size(writer, after: 1, .other)
        #expect(try fileSize(path + "-wal") <= 16)
        #expect(try await size(writer, after: 6, .other) >= 25)
    }

    /// A client's write does not wait for the checkpoint of a large log. The next pulled page waits for it.
    @Test func aClientWriteDuringAPullCausesACheckpointAtTheNextPage() async throws {
        let writer = try makeWriter()
        #expect(try await size(writer, after: 20, .page) == 0)
        #expect(try await size(writer, after: 1, .other) == 0)
        #expect(try await size(writer, after: 1, .page) >= 20)
    }
}
