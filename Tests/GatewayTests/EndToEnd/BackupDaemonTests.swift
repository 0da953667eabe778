import Foundation
import HTTPTypes
import ParseModel
import Testing

/// Tests the commands `tidegate backup`, `restore`, `check` and `compact` with running gateways.
@Suite("Commands tidegate backup, restore, check and compact", .serialized, .timeLimit(.minutes(5)))
struct BackupDaemonTests {
    private let place: TemporaryDirectory

    init() throws { place = try TemporaryDirectory() }

    private func run(_ arguments: String...) async throws -> (lines: [String], code: Int32) {
        try await Run.ending(arguments)
    }

    /// Creates objects until the task is cancelled. The last create is completed.
    /// - Returns: the ids of the created objects, in order.
    private func writing(_ daemon: Daemon) -> Task<[String], any Error> {
        Task {
            var ids: [String] = []
            while !Task.isCancelled {
                let n = ids.count
                ids.append(try await Task { try await daemon.create(["n": .int(n)]) }.value)
            }
            return ids
        }
    }

    @Test func backupDuringWritesHasEachObjectThatWasAcknowledgedBefore() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try await Daemon(directory)
        var before: [String] = []
        for n in 0..<20 { before.append(try await daemon.create(["n": .int(n)])) }
        let writes = writing(daemon)
        let backup = try await run("backup", place.path + "/b.tar", "--data", directory.path)
        writes.cancel()
        #expect(backup.code == 0, "\(backup.lines)")
        let all = before + (try await writes.value)
        #expect(try await run("check", "--data", directory.path).code == 0)

        let restored = try TemporaryDirectory()
        #expect(try await run("restore", place.path + "/b.tar", "--data", restored.path).code == 0)
        let holidays = try await Daemon(restored).holidays()
        #expect(Set(before).isSubset(of: holidays.keys))
        // The writes came one after another, so the backup has a first part of them.
        #expect(Set(all.prefix(holidays.count)) == Set(holidays.keys))
    }

    @Test func backupOfAPersonalReplicaHasTheDataOfAllUsers() async throws {
        let world = try await PeopleWorld()
        for name in ["ada", "ben"] { _ = try await world.note("of \(name)", by: world.signUp(name)) }
        let file = place.path + "/b.tar"
        let backup = try await run("backup", file, "--data", world.replicaDirectory.path, "--json")
        #expect(backup.lines.last?.contains(#""stores":3"#) == true, "\(backup.lines)")
        let restored = place.path + "/restored"
        #expect(try await run("restore", file, "--data", restored).code == 0)
        let check = try await run("check", "--data", restored, "--json")
        let stores = try JSONReader.read(check.lines.last ?? "").object?["stores"]?.array ?? []
        #expect(check.code == 0)
        #expect(stores.compactMap { $0.object?["objects"]?.int }.sorted().suffix(2).allSatisfy { $0 > 0 }, "\(check)")
    }

    @Test func commandsOnTheDirectoryOfARunningGatewayThatWouldChangeItAreRefused() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try await Daemon(directory)
        let file = place.path + "/b.tar"
        #expect(try await run("backup", file, "--data", directory.path).code == 0)
        let compact = try await run("compact", "--data", directory.path)
        #expect(compact.code == 1 && compact.lines.joined().contains("is in use"))
        let restore = try await run("restore", file, "--data", directory.path)
        #expect(restore.code == 1 && restore.lines.joined().contains("is not empty"))
        daemon.end(SIGTERM)
        let sizes = try await run("compact", "--data", directory.path, "--json")
        #expect(sizes.code == 0)
        #expect(try JSONReader.read(sizes.lines.joined()).object?.keys == ["bytesBefore", "bytesAfter"])
    }

    @Test func exitCodeOfACheckTellsDamageFromAMissingDirectory() async throws {
        let directory = try TemporaryDirectory()
        let daemon = try await Daemon(directory)
        let sent = try await daemon.send(.post, "/files/a.txt", "hello", contentType: "text/plain")
        #expect(sent.status == 201)
        daemon.end(SIGTERM)
        #expect(try await run("check", "--data", directory.path).code == 0)
        let files = directory.path + "/files"
        for path in try FileManager.default.subpathsOfDirectory(atPath: files) where path.count > 60 {
            try Data("jello".utf8).write(to: URL(filePath: "\(files)/\(path)"))
        }
        let damaged = try await run("check", "--data", directory.path)
        #expect(damaged.code == 1 && damaged.lines.joined().contains("has changed"))
        #expect(try await run("check", "--data", place.path + "/missing").code == 2)
    }

    @Test func exitCodeOfACheckTellsADamagedBackupFromAnotherFile() async throws {
        let directory = try TemporaryDirectory()
        try await Daemon(directory).end(SIGTERM)
        let file = place.path + "/b.tar"
        #expect(try await run("backup", file, "--data", directory.path).code == 0)
        #expect(try await run("check", "--backup", file).code == 0)
        let size = try #require(FileManager.default.contents(atPath: file)).count
        truncate(file, off_t(size / 2))
        #expect(try await run("check", "--backup", file).code == 1)
        try Data("mine".utf8).write(to: URL(filePath: file))
        let other = try await run("check", "--backup", file)
        #expect(other.code == 2 && other.lines == ["Error: \(file) is not a backup of Tidegate"])
        let restore = try await run("restore", file, "--data", place.path + "/restored")
        #expect(restore.code == 1 && restore.lines == other.lines)
        let missing = try await run("check", "--backup", place.path + "/none.tar")
        #expect(
            missing.code == 2
                && missing.lines == ["Error: cannot read \(place.path)/none.tar: No such file or directory"])
    }

    @Test func commandNamesTheReasonForWhichADataDirectoryCannotBeRead() async throws {
        let loop = place.path + "/loop"
        try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
        let backup = try await run("backup", place.path + "/b.tar", "--data", loop)
        #expect(backup.code == 1)
        #expect(backup.lines == ["Error: cannot read \(loop)/tidegate.sqlite: Too many levels of symbolic links"])
    }

    @Test func failedBackupIsShownToCallersWithoutTheMasterKey() async throws {
        let directory = try TemporaryDirectory()
        let backups = place.path + "/backups"
        try Data().write(to: URL(filePath: backups))
        let daemon = try await Daemon(directory, ["--local-master-key", "master", "--backup-dir", backups])
        func shown(_ key: String?) async throws -> JSONObject {
            while true {
                let answer = try await daemon.send(.get, "/sync", masterKey: key)
                let backups = try #require(answer.json.object?["backups"]?.object)
                if backups["failed"] == true { return backups }
                await Task.yield()
            }
        }
        #expect(try await shown(nil) == ["failed": true])
        #expect(try await shown("master")["lastError"] == .string("cannot write \(backups): File exists"))
        let check = try await run("status", "--check", "--url", daemon.url)
        #expect(check.code == 1)
        #expect(check.lines == ["WARNING: no backup was written: the reason is shown only with the master key"])
    }
}
