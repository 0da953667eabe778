import Foundation
import Testing

/// Tests what an export that fails leaves behind.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UnfinishedExportTests {
    @Test func aFailedExportLeavesNoFileAndKeepsTheOldOne() async throws {
        let (directory, work) = (try TemporaryDirectory(), try TemporaryDirectory())
        let daemon = try await Daemon(directory)
        _ = try await daemon.create(["name": "Picnic day"])
        let file = work.path + "/Holiday.ndjson"
        try Data("old".utf8).write(to: URL(filePath: file))
        let (lines, code) = try await Run.ending(
            ["export", "--data", directory.path, "Holiday", "--where", #"{"name":{"$nope":1}}"#, "--to", file])
        #expect(code == 1, "\(lines)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: work.path) == ["Holiday.ndjson"])
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "old")
    }
}
