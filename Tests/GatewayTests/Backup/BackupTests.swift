import Foundation
import GRDB
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Synchronization
import Testing

@testable import Gateway

/// Tests the backup of a data directory, its restore, and the check of a directory.
@Suite("Backups")
struct BackupTests {
    private let place: TemporaryDirectory
    private let data: String
    private let kind = LocalStoreKind()

    init() throws {
        place = try TemporaryDirectory()
        data = place.path + "/data"
    }

    private var file: String { place.path + "/backup.tar" }
    private var target: String { place.path + "/restored" }
    private var writer: BackupWriter { BackupWriter(directory: data, stores: kind) }

    private func open(_ directory: String) throws -> LocalStore {
        try LocalStore(
            StoreConfiguration(directory: directory, identity: StoreIdentity(remote: nil)),
            environment: TestClock().environment)
    }

    /// Makes a store with an object and a file.
    private func fill(_ directory: String) async throws -> (store: LocalStore, objectId: String, content: String) {
        let store = try open(directory)
        let draft = try store.draft()
        try Array("hello".utf8).withUnsafeBytes { try draft.write($0) }
        let stored = try await store.addFile(draft, name: "a.txt", contentType: "text/plain")
        let id = try await store.create("Holiday", ["name": "Easter"])
        return (store, id, try #require(stored.content?.sha256))
    }

    private func contentPath(_ directory: String, _ sha256: String) -> String {
        "\(directory)/files/\(sha256.prefix(2))/\(sha256)"
    }

    private func refusal(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
            return "no refusal"
        } catch {
            return "\(error)"
        }
    }

    private func restore() async throws { _ = try await BackupRestorer(stores: kind).restore(file, to: target) }

    @Test func backupOfARunningGatewayIsRestoredWithItsObjectsFilesAndKeys() async throws {
        let (store, id, content) = try await fill(data)
        try Data("secret\n".utf8).write(to: URL(filePath: data + "/master-key"))
        let result = try await writer.write(to: file)
        #expect(result.storeCount == 1 && result.missingContents.isEmpty)
        try await store.create("Holiday", ["name": "Midsummer"])
        try await restore()
        let restored = try open(target)
        #expect(try restored.all("Holiday").keys.sorted() == [id])
        #expect(FileManager.default.contents(atPath: contentPath(target, content)) == Data("hello".utf8))
        #expect(FileManager.default.contents(atPath: target + "/master-key") == Data("secret\n".utf8))
        #expect(try await DirectoryCheck(directory: target, stores: kind).isSound)
    }

    @Test func onlyTheOwnerCanReadABackupAndWhatIsRestoredFromIt() async throws {
        _ = try await fill(data)
        _ = try await writer.write(to: file)
        try await restore()
        func mode(_ path: String) throws -> Int? {
            (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(try mode(file) == 0o600)
        #expect(try mode(target) == 0o700)
        #expect(try mode(target + "/tidegate.sqlite") == 0o600)
    }

    @Test func existingFileIsNotOverwrittenByABackup() async throws {
        _ = try await fill(data)
        try Data("mine".utf8).write(to: URL(filePath: file))
        #expect(await refusal { _ = try await writer.write(to: file) }.contains("exists already"))
        #expect(FileManager.default.contents(atPath: file) == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == ["backup.tar", "data"])
    }

    /// The users' directory is a file, so its stores cannot be listed.
    @Test func noBackupIsWrittenIfTheStoresOfUsersCannotBeRead() async throws {
        _ = try await fill(data)
        try Data().write(to: URL(filePath: SpaceNames.directory(in: data)))
        #expect(await refusal { _ = try await writer.write(to: file) }.contains("cannot read"))
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(await refusal { _ = try await DirectoryCheck(directory: data, stores: kind) }.contains("cannot read"))
    }

    @Test func damagedBackupIsRefusedAndLeavesNothingBehind() async throws {
        _ = try await fill(data)
        _ = try await writer.write(to: file)
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        let bytes = try #require(try handle.readToEnd())
        let content = try #require(bytes.firstRange(of: Data("hello".utf8)))
        try handle.seek(toOffset: UInt64(content.lowerBound))
        try handle.write(contentsOf: Data("jello".utf8))
        try handle.close()
        #expect(await refusal(restore).contains("differs from its sum"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).sorted() == ["backup.tar", "data"])
        guard case .failure = try await BackupArchive(file).check() else {
            Issue.record("the check accepts the damaged backup")
            return
        }
    }

    @Test func aDamagedNameInTheManifestIsFoundByTheCheckAndByTheRestore() async throws {
        _ = try await fill(data)
        _ = try await writer.write(to: file)
        var bytes = try #require(FileManager.default.contents(atPath: file))
        let digest = try #require(bytes.firstRange(of: Data("files/".utf8)))
        bytes.replaceSubrange(digest, with: Data("fIles/".utf8))
        try bytes.write(to: URL(filePath: file))
        let reason = "\(file) is damaged: its files are not those of its manifest.json"
        guard case .failure(let damage) = try await BackupArchive(file).check() else {
            Issue.record("the check accepts the damaged backup")
            return
        }
        #expect(damage.description == reason)
        #expect(await refusal(restore) == reason)
    }

    @Test(arguments: ["truncated", "no tar", "another tar"])
    func fileThatIsNoCompleteBackupIsRefused(form: String) async throws {
        _ = try await fill(data)
        _ = try await writer.write(to: file)
        switch form {
        case "truncated":
            let size = try #require(FileManager.default.contents(atPath: file)).count
            truncate(file, off_t(size / 2))
        case "no tar": try Data("mine".utf8).write(to: URL(filePath: file))
        default:
            unlink(file)
            try writeArchive(manifest: "{}")
        }
        let reason = await refusal(restore)
        #expect(
            reason.hasPrefix(file + (form == "truncated" ? " is damaged" : " is not a backup of Tidegate")), "\(reason)"
        )
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func directoryWithFilesIsNoTargetOfARestore() async throws {
        let (store, _, _) = try await fill(data)
        _ = try await writer.write(to: file)
        let refused = await refusal { _ = try await BackupRestorer(stores: kind).restore(file, to: data) }
        #expect(refused.contains("is not empty"))
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
        try await restore()
        withExtendedLifetime(store) {}
    }

    /// Writes an archive whose first member is a manifest with a text.
    private func writeArchive(manifest text: String) throws {
        try Data((BackupManifest.name + "\n").utf8).write(to: URL(filePath: place.path + "/list"))
        try Data(text.utf8).write(to: URL(filePath: place.path + "/" + BackupManifest.name))
        try TarProgram().create(file, from: place.path, listedIn: place.path + "/list")
    }

    @Test func backupOfANewerFormatIsRefusedAndNotCalledDamaged() async throws {
        try writeArchive(manifest: #"{"format":2,"version":"9","createdAt":"2027-01-01T00:00:00.000Z","files":[]}"#)
        #expect(await refusal { _ = try await BackupArchive(file).check() }.contains("use a newer tidegate"))
        #expect(await refusal(restore).contains("use a newer tidegate"))
    }

    @Test(arguments: ["{}", "[]", #"{"name":"an app"}"#]) func archiveOfAnotherProgramIsNotCalledDamaged(
        manifest: String
    ) async throws {
        try writeArchive(manifest: manifest)
        let reason = "\(file) is not a backup of Tidegate"
        #expect(await refusal { _ = try await BackupArchive(file).check() } == reason)
        #expect(await refusal(restore) == reason)
    }

    @Test(arguments: ["{\"format\":1,\"fi", #"{"format":1}"#, #"{"version":"1","files":[]}"#])
    func backupWithADamagedManifestIsCalledDamaged(manifest: String) async throws {
        try writeArchive(manifest: manifest)
        guard case .failure(let damage) = try await BackupArchive(file).check() else {
            Issue.record("the check accepts the damaged backup")
            return
        }
        #expect(damage.description == "\(file) is damaged: its manifest.json cannot be read")
    }

    @Test func missingDirectoryOfANewBackupIsNamed() async throws {
        _ = try await fill(data)
        let reason = await refusal { _ = try await writer.write(to: place.path + "/none/backup.tar") }
        #expect(reason == "there is no directory \(place.path)/none")
    }

    /// Collects what work reports about its progress.
    private final class Reports: Sendable {
        private let all = Mutex<[WorkProgress]>([])
        var report: WorkMeter.Report { { report in self.all.withLock { $0.append(report) } } }

        /// The names of the steps in order. Forgets the reports.
        /// - Returns: nil if the measured part of the work shrinks, or if it does not end at its total.
        func steps() -> [String]? {
            let reports = all.withLock { all in
                defer { all = [] }
                return all
            }
            let parts = reports.compactMap(\.part)
            guard zip(parts, parts.dropFirst()).allSatisfy({ $0 <= $1 }), parts.allSatisfy({ $0 <= 1 }) else {
                return nil
            }
            return reports.map(\.step).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
        }
    }

    @Test func workReportsItsStepsAndAPartThatGrows() async throws {
        let (store, _, _) = try await fill(data)
        let reports = Reports()
        _ = try await writer.write(to: file, progress: reports.report)
        #expect(
            reports.steps() == [
                "Copying the objects", "Checking the copy", "Computing the sums", "Writing the archive",
                "Comparing the archive with its sums",
            ])
        _ = try await BackupArchive(file).check(progress: reports.report)
        #expect(reports.steps() == ["Comparing the archive with its sums"])
        _ = try await BackupRestorer(stores: kind).restore(file, to: target, progress: reports.report)
        #expect(
            reports.steps() == [
                "Unpacking the backup", "Comparing the files with their sums", "Writing the files to disk",
            ])
        _ = try await DirectoryCheck(directory: target, stores: kind, progress: reports.report)
        #expect(
            reports.steps() == [
                "Checking the structure of the file", "Checking the objects", "Checking the indexes",
                "Checking the rules between tables", "Checking the contents of files",
            ])
        _ = try await DirectoryCompaction.run(target, stores: kind, progress: reports.report)
        #expect(reports.steps() == ["Compacting the objects", "Writing the file"])
        withExtendedLifetime(store) {}
    }

    @Test func copyInStepsHasTheStateOfOneCommit() async throws {
        let (store, _, _) = try await fill(data)
        // More pages than one step copies.
        let text = JSONValue.string(String(repeating: "x", count: 50_000))
        for n in 0..<200 { try await store.create("Holiday", ["n": .int(n), "text": text]) }
        let other = try DatabaseQueue(path: data + "/tidegate.sqlite")
        try await other.write {
            try $0.execute(sql: "CREATE TABLE written (n INTEGER); INSERT INTO written VALUES (0)")
        }
        let steps = Mutex(0)
        let meter = WorkMeter { progress in
            guard progress.step == "Copying the objects", progress.done ?? 0 > 0 else { return }
            steps.withLock { $0 += 1 }
            try? other.write { try $0.execute(sql: "UPDATE written SET n = n + 1") }
        }
        let copy = place.path + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
        _ = try kind.copy(directory: data, to: copy, sharing: nil, at: ParseDate(milliseconds: 0), meter)
        let count = steps.withLock { $0 }
        #expect(count > 1)
        let written = try await other.read { try Int.fetchOne($0, sql: "SELECT n FROM written") }
        let copied = try await DatabaseQueue(path: copy + "/tidegate.sqlite").read {
            try Int.fetchOne($0, sql: "SELECT n FROM written")
        }
        #expect(written == count && copied == 0)
        withExtendedLifetime(store) {}
    }

    @Test(arguments: ["../tidegate.sqlite", "/tidegate.sqlite", "files//a", "."])
    func manifestWithAPathOutsideOfTheDirectoryIsRefused(path: String) {
        let entry: (String) -> JSONValue = { ["path": .string($0), "size": 1, "sha256": "00"] }
        let json: JSONObject = [
            "format": 1, "version": "1", "createdAt": "2027-01-01T00:00:00.000Z",
            "files": [entry("tidegate.sqlite"), entry(path)],
        ]
        #expect(BackupManifest.read(json.jsonBytes) == .damaged)
    }

    @Test func missingContentIsReportedByTheBackupAndByTheCheck() async throws {
        let (store, _, content) = try await fill(data)
        unlink(contentPath(data, content))
        #expect(try await writer.write(to: file).missingContents == [content])
        let check = try await DirectoryCheck(directory: data, stores: kind)
        #expect(!check.isSound && check.stores[0].findings.missingContents == [content])
        withExtendedLifetime(store) {}
    }

    @Test func checkFindsAChangedContentAndAnOrphanedOne() async throws {
        let (store, _, content) = try await fill(data)
        try Data("jello".utf8).write(to: URL(filePath: contentPath(data, content)))
        let orphan = String(repeating: "a", count: 64)
        try FileManager.default.createDirectory(atPath: data + "/files/aa", withIntermediateDirectories: true)
        try Data("x".utf8).write(to: URL(filePath: contentPath(data, orphan)))
        let findings = try await DirectoryCheck(directory: data, stores: kind).stores[0].findings
        #expect(findings.changedContents == [content] && findings.orphanedContents == [orphan])
        #expect(findings.objectCount == 1 && findings.contentCount == 1)
        withExtendedLifetime(store) {}
    }

    @Test func checkAndCompactionOfADirectoryWithoutStoreAreRefused() async throws {
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let reason = "is not the data directory of a gateway"
        #expect(await refusal { _ = try await DirectoryCheck(directory: data, stores: kind) }.contains(reason))
        #expect(await refusal { _ = try await DirectoryCompaction.run(data, stores: kind) }.contains(reason))
        #expect(try FileManager.default.contentsOfDirectory(atPath: data).isEmpty)
    }

    @Test func compactionReturnsTheSpaceOfRemovedObjectsAndKeepsTheOthers() async throws {
        do {
            let (store, _, _) = try await fill(data)
            let text = JSONValue.string(String(repeating: "x", count: 1000))
            var ids: [String] = []
            for _ in 0..<500 { ids.append(try await store.create("Holiday", ["text": text])) }
            for id in ids { try await store.delete("Holiday", id) }
            await #expect(throws: GatewayError.self) { try await DirectoryCompaction.run(data, stores: kind) }
        }
        let (before, after) = try await DirectoryCompaction.run(data, stores: kind)
        #expect(after < before)
        #expect(try open(data).all("Holiday").count == 1)
    }
}
