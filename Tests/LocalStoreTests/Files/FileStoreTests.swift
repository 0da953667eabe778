import Foundation
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

@Suite("Files in the store")
struct FileStoreTests {
    private let directory: TemporaryDirectory
    private let store: LocalStore
    private let clock = TestClock()

    init() throws {
        directory = try TemporaryDirectory()
        store = try LocalStore.make(in: directory, clock: clock)
    }

    private var contents: [String] { get throws { try store.transactions.file.contents.all().sorted() } }

    @Test func aStoredContentIsReadUnchanged() async throws {
        let file = try await store.addFile("a_cat.txt", "meow")
        #expect(file.content?.size == 4)
        // Computed with the command `sha256sum`.
        #expect(file.content?.sha256 == "404cdd7bc109c432f8cc2443b45bcfe95980f5107215c645236e577929ac3e52")
        #expect(try store.file("a_cat.txt") == file)
        #expect(try store.text(of: "a_cat.txt") == "meow")
        #expect(try store.file("other") == nil)
    }

    @Test func aStoredContentSurvivesReopening() async throws {
        let directory = try TemporaryDirectory()
        var first: LocalStore? = try LocalStore.make(in: directory)
        try await first?.addFile("a", "one")
        first = nil
        let second = try LocalStore.make(in: directory)
        #expect(try second.text(of: "a") == "one")
    }

    @Test func equalContentsAreStoredOnce() async throws {
        try await store.addFile("a", "same")
        try await store.addFile("b", "same")
        #expect(try contents.count == 1)
        try await store.deleteFile("a")
        #expect(try store.text(of: "b") == "same")
        try await store.deleteFile("b")
        #expect(try contents.isEmpty)
        #expect(try store.file("b") == nil)
    }

    @Test func anAbandonedDraftLeavesNoFile() throws {
        var draft: FileDraft? = try store.draft("half")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path + "/files/drafts").count == 1)
        _ = draft.take()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path + "/files/drafts").isEmpty)
        #expect(try contents.isEmpty)
    }

    @Test func draftsOfAnEarlierProcessAreDeleted() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path + "/files/drafts", withIntermediateDirectories: true)
        try Data([1]).write(to: URL(fileURLWithPath: directory.path + "/files/drafts/old"))
        let store = try LocalStore.make(in: directory)
        #expect(!FileManager.default.fileExists(atPath: store.transactions.file.contents.path + "/drafts/old"))
    }

    @Test func contentFilesAreReadableByTheirOwnerOnly() async throws {
        try await store.addFile("a", "secret")
        let path = store.transactions.file.contents.path(of: try #require(try contents.first))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aStandaloneStoreKeepsNoAddressOfItsOwnFiles() async throws {
        try await store.addFile("a", "x")
        let id = try await store.create(["image": .file("a", url: "http://localhost/files/app/a")])
        #expect(try store.fields(id)?["image"] == .file("a"))
        let elsewhere = try await store.create(["image": .file("b", url: "http://example.org/b")])
        #expect(try store.fields(elsewhere)?["image"] == .file("b"))
    }

    // MARK: Collection

    @Test func unreferencedFilesAreDeleted() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        for name in ["kept", "nested", "loose"] { try await store.addFile(name, name) }
        try await store.create(["image": .file("kept"), "more": [["deep": .file("nested")]]])
        #expect(try await store.collectFiles(grace: .seconds(60)) == 0)
        clock.advance(.seconds(61))
        #expect(try await store.collectFiles(grace: .seconds(60)) == 1)
        #expect(try store.text(of: "kept") == "kept")
        #expect(try store.text(of: "nested") == "nested")
        #expect(try store.file("loose") == nil)
        #expect(try store.transactions.file.contents.all().count == 2)
    }

    @Test func filesInTheConfigAndInDefaultValuesAreKept() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        for name in ["logo", "picture", "loose"] { try await store.addFile(name, name) }
        try await store.changeConfig { _ in (["logo": .file("logo")] as JSONObject).jsonText }
        try await store.transactions.write {
            try $0.db.run(
                "INSERT INTO fields (class, name, type) VALUES ('Holiday', 'image', ?)",
                [(["type": "File", "defaultValue": .file("picture")] as JSONObject).jsonText])
        }
        clock.advance(.seconds(61))
        #expect(try await store.collectFiles(grace: .seconds(60)) == 1)
        #expect(try store.text(of: "logo") == "logo")
        #expect(try store.text(of: "picture") == "picture")
    }

    @Test func aFileThatIsReferencedAgainIsKept() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        try await store.addFile("a", "x")
        clock.advance(.seconds(61))
        let id = try await store.create(["image": .file("a")])
        try await store.update(id, ["image": ["__op": "Delete"]])
        #expect(try await store.collectFiles(grace: .seconds(60)) == 0)
        clock.advance(.seconds(61))
        #expect(try await store.collectFiles(grace: .seconds(60)) == 1)
    }

    @Test func contentsWithoutAFileEntryAreDeleted() async throws {
        try await store.addFile("a", "kept")
        _ = try store.transactions.file.contents.keep(try store.draft("left behind"))
        #expect(try contents.count == 2)
        for sha256 in try store.transactions.file.contents.all() {
            try setModified(store.transactions.file.contents.path(of: sha256), clock.now)
        }
        clock.advance(.seconds(59))
        try await store.removeLooseContents(grace: .seconds(60))
        #expect(try contents.count == 2)
        clock.advance(.seconds(2))
        try await store.removeLooseContents(grace: .seconds(60))
        #expect(try contents.count == 1)
        #expect(try store.text(of: "a") == "kept")
        // A recently stored content may belong to a file row that is not written yet.
        _ = try store.transactions.file.contents.keep(try store.draft("younger"))
        for sha256 in try store.transactions.file.contents.all() {
            try setModified(store.transactions.file.contents.path(of: sha256), clock.now)
        }
        try await store.removeLooseContents(grace: .seconds(60))
        #expect(try contents.count == 2)
    }

    private func setModified(_ path: String, _ date: ParseDate) throws {
        let modified = Date(timeIntervalSince1970: Double(date.milliseconds) / 1000)
        try FileManager.default.setAttributes([.modificationDate: modified], ofItemAtPath: path)
    }

    @Test func contentsOfNewFilesAreKept() async throws {
        let store = try LocalStore.make(clock: clock)
        let sha256 = try store.transactions.file.contents.keep(try store.draft("of an earlier file")).sha256
        try setModified(store.transactions.file.contents.path(of: sha256), clock.now - .seconds(1000))
        try await store.removeLooseContents(grace: .seconds(60))
        #expect(try store.transactions.file.contents.all() == [sha256])
        clock.advance(.seconds(61))
        try await store.removeLooseContents(grace: .seconds(60))
        #expect(try store.transactions.file.contents.all().isEmpty)
    }
}
