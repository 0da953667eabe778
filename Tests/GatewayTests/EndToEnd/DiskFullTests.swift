import Foundation
import ParseModel
import Testing

/// A file size limit simulates a full disk: the same calls fail, in the middle of a write.
@Suite("Daemons on a full disk", .serialized)
struct DiskFullTests {
    /// At the smaller limit, the write-ahead log cannot grow. At the larger limit, neither it nor the database file
    /// can grow.
    @Test(arguments: [3 << 19, 6 << 20]) func gatewayOnAFullDiskRefusesWritesAndAnswersReads(
        fileBytesMax: Int
    ) async throws {
        let directory = try TemporaryDirectory()
        let limited = try await Daemon(directory, fileBytesMax: fileBytesMax)
        let names = try await fill(limited)
        #expect(try await limited.names() == names)
        let id = try #require(try await limited.holidays().keys.first)
        // This write is too large even for a write-ahead log that starts again at its beginning.
        let tooLarge = JSONValue.string(String(repeating: "0123456789", count: fileBytesMax / 10 + 1))
        #expect(try await limited.send(.put, "/classes/Holiday/\(id)", ["text": tooLarge]).status == 507)
        #expect(try await limited.send(.get, "/classes/Holiday/\(id)").status == 200)
        #expect(try await limited.send(.get, "/changes?since=0").status == 200)
        #expect(limited.end(SIGTERM) == 0)

        let daemon = try await Daemon(directory)
        #expect(try await daemon.names() == names)
        _ = try await daemon.create(["name": "after"])
        #expect(try await daemon.names() == names.union(["after"]))
    }

    @Test func aGatewayKilledOnAFullDiskLosesNothing() async throws {
        let directory = try TemporaryDirectory()
        let limited = try await Daemon(directory, fileBytesMax: 6 << 20)
        let names = try await fill(limited)
        #expect(limited.end(SIGKILL) == SIGKILL)
        let daemon = try await Daemon(directory)
        #expect(try await daemon.names() == names)
        _ = try await daemon.create(["name": "after"])
    }

    /// Creates objects until even a small one does not fit on the disk.
    /// - Returns: the names of the acknowledged objects.
    private func fill(_ daemon: Daemon) async throws -> Set<String> {
        var names: Set<String> = []
        for text in [Self.large, ""] {
            var isRefused = false
            for attempt in 0..<Self.attemptsMax where !isRefused {
                let name = "\(text.count) \(attempt)"
                let answer = try await daemon.send(
                    .post, "/classes/Holiday", ["name": .string(name), "text": .string(text)])
                isRefused = answer.status == 507
                if isRefused {
                    #expect(answer.json == ["code": 1, "error": "The disk is full."])
                } else {
                    try #require(answer.status == 201, "\(answer.json)")
                    names.insert(name)
                }
            }
            try #require(isRefused, "the disk does not become full")
        }
        #expect(names.count > 5)
        return names
    }

    private static let large = String(repeating: "0123456789", count: 10_000)
    private static let attemptsMax = 2000
}

extension Daemon {
    fileprivate func names() async throws -> Set<String> {
        Set(try await holidays().values.compactMap { $0.object?["name"]?.string })
    }
}
