import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

@Suite("Downloads of the remote's files")
struct FileDownloadTests {
    private let clock = TestClock()
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica, clock: clock)
        try await set("eager")
    }

    private func set(_ files: JSONValue) async throws {
        let files = try #require(FileDownloads(json: files))
        try await store.configureClass("Holiday") { options, pulls in
            options.files = files
            if pulls.isEmpty { pulls = [.all] }
        }
    }

    private func pull(_ id: String, _ names: String..., updatedMs: Int64 = 2000) async throws {
        let files = names.map { JSONValue.file($0, url: "http://remote/\($0)") }
        try await store.pull([.make(id, ["image": files[0], "more": .array(Array(files[1...]))], updatedMs: updatedMs)])
    }

    private func wanted() throws -> [String] { try store.filesToDownload(limit: 9).map(\.name).sorted() }

    private func bring(_ name: String, _ text: String) async throws {
        _ = try await store.keepContent(try store.draft(text), of: name, contentType: "image/png")
    }

    @Test func eagerFilesAreListedForDownloadUntilTheyAreDownloaded() async throws {
        try await pull("x", "a", "b")
        #expect(try wanted() == ["a", "b"])
        #expect(try store.filesToDownload(limit: 9).first { $0.name == "a" }?.url == "http://remote/a")
        try await bring("a", "A")
        #expect(try wanted() == ["b"])
        #expect(try store.text(of: "a") == "A")
        #expect(try store.file("a")?.contentType == "image/png")
    }

    @Test func lazyFilesAreKnownAndNotListedForDownload() async throws {
        try await set("lazy")
        try await pull("x", "a")
        #expect(try wanted().isEmpty)
        #expect(try store.servedFiles(among: ["a", "b"]) == ["a"])
    }

    @Test func aFieldMayHaveItsOwnDownloadOption() async throws {
        try await set(["image": "none", "*": "eager"])
        try await pull("x", "a", "b")
        #expect(try wanted() == ["b"])
        #expect(try store.servedFiles(among: ["a", "b"]) == ["b"])
    }

    @Test func aChangedDownloadOptionAppliesToExistingObjects() async throws {
        try await set("none")
        try await pull("x", "a", "b")
        #expect(try store.servedFiles(among: ["a"]).isEmpty)
        try await set("eager")
        #expect(try wanted() == ["a", "b"])
        try await bring("a", "A")
        try await set("none")
        #expect(try wanted().isEmpty)
        #expect(try store.servedFiles(among: ["a", "b"]) == ["a"])
    }

    @Test func aFileThatAnotherClassRefersToIsKept() async throws {
        try await pull("x", "a")
        try await store.configureClass("Trip") { options, pulls in
            options.files = FileDownloads(standard: .lazy)
            pulls = [.all]
        }
        try await store.pull([.make("t", ["image": .file("a", url: "http://remote/a")], of: "Trip")])
        try await store.configureClass("Trip") { options, _ in options.files = FileDownloads(standard: .none) }
        #expect(try wanted() == ["a"])
        #expect(try store.servedFiles(among: ["a"]) == ["a"])
    }

    @Test func aLocalFileNameLeadsToTheUploadedFile() async throws {
        try await store.addFile("l_cat.png", "meow")
        let id = try await store.create(["image": .file("l_cat.png")])
        try await store.sync.fileIsUploaded("l_cat.png", as: FileReference(name: "r", url: "http://remote/r"))
        try await store.push(id, .applied(id))
        try await store.pull([.make(id, ["image": .file("r", url: "http://remote/r")], updatedMs: 9000)])
        try await store.evictContents(bytesMax: 0)
        try await set("none")
        #expect(try store.file("l_cat.png")?.name == "r")
    }

    @Test func aNewFileOfAnObjectIsListedForDownload() async throws {
        try await pull("x", "a")
        try await bring("a", "A")
        try await pull("x", "b", updatedMs: 3000)
        #expect(try wanted() == ["b"])
    }

    @Test func theDelayAfterAFailedDownloadDoubles() async throws {
        try await pull("x", "a")
        for wait in [60, 120, 240] {
            try await store.downloadFailed("a", reason: "time-out", isGone: false)
            clock.advance(.seconds(wait - 1))
            #expect(try wanted().isEmpty)
            clock.advance(.seconds(1))
            #expect(try wanted() == ["a"])
        }
        try await store.downloadFailed("a", reason: "404", isGone: true)
        clock.advance(.seconds(100_000))
        #expect(try wanted().isEmpty)
    }

    @Test func theQuotaEvictsTheLeastRecentlyUsedFile() async throws {
        try await pull("x", "a", "b", "c")
        for name in ["a", "b", "c"] {
            try await bring(name, name + "12345678")
            clock.advance(.seconds(10))
        }
        clock.advance(.seconds(4000))
        try await store.noteUse(of: try #require(try store.file("a")))
        try await store.addFile("local", "1234567890")
        try await store.evictContents(bytesMax: 18)
        #expect(try store.text(of: "b") == nil)
        #expect(try store.text(of: "a") != nil && store.text(of: "c") != nil)
        #expect(try store.servedFiles(among: ["b"]) == ["b"])
        #expect(try wanted().isEmpty)
        try await store.evictContents(bytesMax: 0)
        #expect(try store.text(of: "local") != nil)
        #expect(try store.transactions.file.contents.all().count == 1)
    }

    @Test func aFileWithLostContentCountsAsNotDownloaded() async throws {
        try await pull("x", "a")
        try await bring("a", "A")
        store.transactions.file.contents.remove(try #require(try store.file("a")?.content?.sha256))
        #expect(try store.text(of: "a") == nil)
    }

    @Test func filesInADatabaseOfAnEarlierVersionAreRecorded() async throws {
        try await pull("x", "a", "b")
        try await store.transactions.write {
            try $0.db.execute(
                sql: "DROP TABLE outbox_files; DROP TABLE file_aliases; DROP TABLE files;" + Migrations.files
                    + Migrations.fileDetails)
        }
        #expect(try store.servedFiles(among: ["a", "b"]) == ["a", "b"])
    }

    @Test func filesOfRemovedObjectsAreDeleted() async throws {
        try await pull("x", "a")
        try await bring("a", "A")
        clock.advance(.seconds(100))
        #expect(try await store.collectFiles(grace: .seconds(60)) == 0)
        _ = try await store.sync.apply([], gone: ["x"], of: "Holiday")
        #expect(try await store.collectFiles(grace: .seconds(60)) == 1)
        #expect(try store.transactions.file.contents.all().isEmpty)
    }
}
