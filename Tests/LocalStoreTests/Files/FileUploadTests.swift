import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Local files, which are uploaded to the remote before the changes that refer to them.
@Suite("Files that wait for their upload")
struct FileUploadTests {
    private let clock = TestClock()
    private let store: LocalStore
    private let remote = FileReference(name: "r_cat.png", url: "http://remote/files/r_cat.png")

    init() async throws {
        store = try LocalStore.make(.replica, clock: clock)
        try await store.registerClass("Holiday")
        try await store.addFile("l_cat.png", "meow")
    }

    private func waiting() async throws -> [String] { try await store.sync.filesToUpload(limit: 9).map(\.name) }

    @Test func aChangeWaitsForTheUploadOfItsFile() async throws {
        #expect(try await waiting().isEmpty)
        let id = try await store.create(["image": .file("l_cat.png", url: "http://localhost/l_cat.png")])
        let other = try await store.create(["n": 1])
        #expect(try await waiting() == ["l_cat.png"])
        #expect(try await store.sync.outbox(limit: 9).map(\.objectId) == [other])
        #expect(try store.fields(id)?["image"] == .file("l_cat.png"))

        try await store.sync.fileIsUploaded("l_cat.png", as: remote)
        #expect(try await waiting().isEmpty)
        let entry = try #require(try await store.sync.outbox(limit: 9).first { $0.objectId == id })
        #expect(entry.step.operations.json["image"] == remote.json)
        #expect(try store.fields(id)?["image"] == remote.json)
        #expect(try store.invariantViolations() == [])
    }

    /// The user may refer to the file later.
    @Test func anUnreferencedLocalFileIsReportedAsWaitingUntilItIsDeleted() async throws {
        #expect(try await store.figures().hasLocalFiles)
        #expect(try await store.waitingWork().files.map(\.name) == ["l_cat.png"])
        clock.advance(.seconds(100))
        #expect(try await store.collectFiles(grace: .seconds(60)) == 1)
        #expect(try await !store.figures().hasLocalFiles)
        #expect(try await store.waitingWork().isEmpty)
    }

    @Test func anUploadedFileIsNotReportedAsWaiting() async throws {
        try await store.create(["image": .file("l_cat.png")])
        try await store.sync.fileIsUploaded("l_cat.png", as: remote)
        #expect(try await !store.figures().hasLocalFiles)
        #expect(try await store.waitingWork().files.isEmpty)
    }

    @Test func filesInsideNestedValuesAreUploaded() async throws {
        let id = try await store.create(["list": [["deep": .file("l_cat.png")]]])
        try await store.update(id, ["more": .op("Add", .file("l_cat.png"))])
        try await store.sync.fileIsUploaded("l_cat.png", as: remote)
        #expect(try store.fields(id) == ["list": [["deep": remote.json]], "more": [remote.json]])
        #expect(try store.invariantViolations() == [])
    }

    @Test func anUploadedFileIsFoundUnderItsLocalAndRemoteNames() async throws {
        try await store.create(["image": .file("l_cat.png")])
        try await store.sync.fileIsUploaded("l_cat.png", as: remote)
        #expect(try store.file("l_cat.png")?.name == "r_cat.png")
        #expect(try store.text(of: "l_cat.png") == "meow")
        #expect(try store.text(of: "r_cat.png") == "meow")
        // A client that knows only the old name may still write it.
        let late = try await store.create(["image": .file("l_cat.png")])
        #expect(try store.fields(late)?["image"] == remote.json)
        #expect(try await store.sync.outbox(limit: 9).count == 2)
    }

    @Test func aSecondUploadResultForAFileIsIgnored() async throws {
        try await store.create(["image": .file("l_cat.png")])
        try await store.sync.fileIsUploaded("l_cat.png", as: remote)
        try await store.sync.fileIsUploaded("l_cat.png", as: FileReference(name: "second", url: "http://remote/second"))
        #expect(try store.file("l_cat.png")?.name == "r_cat.png")
    }

    @Test func aRefusedUploadIsARejectionOfItsChange() async throws {
        let id = try await store.create(["image": .file("l_cat.png"), "n": 1])
        #expect(try await store.sync.fileIsRefused("l_cat.png", code: 130, message: "too large") == ["Holiday"])
        let rejection = try #require(try store.rejections().first)
        #expect(rejection.objectId == id)
        #expect(rejection.code == 130)
        #expect(rejection.error == "too large")
        #expect(try await waiting().isEmpty)

        try await store.retryRejection(rejection.id, fields: nil)
        #expect(try await waiting() == ["l_cat.png"])
        #expect(try await store.sync.fileIsRefused("l_cat.png", code: 130, message: "too large") == ["Holiday"])
        let again = try #require(try store.rejections().first)
        try await store.retryRejection(again.id, fields: ["image": ["__op": "Delete"]])
        #expect(try await waiting().isEmpty)
        #expect(try await store.sync.outbox(limit: 9).map(\.objectId) == [id])
        #expect(try store.invariantViolations() == [])
    }

    /// Another client has stored the file's name on the remote without uploading its content.
    @Test(arguments: ["eager", "lazy", "none"])
    func aPulledRowThatNamesALocalFileDoesNotMarkItAsUploaded(files: String) async throws {
        try await store.configureClass("Holiday") { options, _ in
            options.files = FileDownloads(json: .string(files)) ?? options.files
        }
        let here = try await store.create(["image": .file("l_cat.png")])
        try await store.pull([.make("x", ["image": .file("l_cat.png", url: "http://elsewhere/l_cat.png")])])
        #expect(try await waiting() == ["l_cat.png"])
        #expect(try store.file("l_cat.png")?.remoteURL == nil)
        try await store.evictContents(bytesMax: 0)
        #expect(try store.text(of: "l_cat.png") == "meow")
        #expect(try store.fields(here)?["image"] == .file("l_cat.png"))
    }

    @Test func anUploadedFileIsKeptWhileItsChangeWaits() async throws {
        try await store.create(["image": .file("l_cat.png")])
        try await store.sync.fileIsUploaded("l_cat.png", as: remote)
        try await store.evictContents(bytesMax: 0)
        #expect(try store.text(of: "r_cat.png") == "meow")
    }

    @Test func anUploadWithLostContentIsReportedWithoutAPath() async throws {
        try await store.create(["image": .file("l_cat.png")])
        #expect(try await store.sync.filesToUpload(limit: 1).first?.path != nil)
        store.transactions.file.contents.remove(try #require(try store.file("l_cat.png")?.content?.sha256))
        #expect(try await store.sync.filesToUpload(limit: 1).first?.path == nil)
    }

    @Test func aFileThatWaitsForItsUploadIsNeverRemoved() async throws {
        try await store.create(["image": .file("l_cat.png")])
        await #expect(throws: StoreError.self) { try await store.deleteFile("l_cat.png") }
        clock.advance(.seconds(100_000))
        #expect(try await store.collectFiles(grace: .seconds(60)) == 0)
        try await store.evictContents(bytesMax: 0)
        #expect(try store.text(of: "l_cat.png") == "meow")
    }

    @Test func aFileOfAChangeInConflictIsKept() async throws {
        try await store.pull([.make("x", ["n": 1])])
        try await store.update("x", ["image": .file("l_cat.png")])
        // The object was deleted remotely, which is a conflict. The resolution of the conflict may still send the
        // file.
        _ = try await store.sync.apply([], gone: ["x"], of: "Holiday")
        clock.advance(.seconds(100_000))
        #expect(try await store.collectFiles(grace: .seconds(60)) == 0)
        let conflict = try #require(try store.conflicts(resolved: false).first)
        try await store.resolveConflict(conflict.id, keep: "local", fields: nil)
        #expect(try await waiting() == ["l_cat.png"])
    }
}
