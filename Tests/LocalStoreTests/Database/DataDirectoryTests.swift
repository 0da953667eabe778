import Foundation
import GRDB
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

@Suite("The data directory and the database file")
struct DataDirectoryTests {
    private func permissions(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func theDataDirectoryIsReadableByItsOwnerOnly() async throws {
        let directory = try TemporaryDirectory()
        let store = try LocalStore.make(in: directory)
        let id = try await store.create(["n": 1])
        #expect(try store.fields(id) == ["n": 1])
        #expect(try permissions(directory.path) == 0o700)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(names).isSuperset(of: ["tidegate.sqlite", "tidegate.sqlite-wal", "lock"]))
        for name in names { #expect(try permissions(directory.path + "/" + name) == 0o600, "\(name)") }
    }

    @Test func aDataDirectoryReadableByOthersIsMadePrivate() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(
            atPath: directory.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        _ = try LocalStore.make(in: directory)
        #expect(try permissions(directory.path) == 0o700)
    }

    @Test func missingParentDirectoriesAreCreated() async throws {
        let directory = try TemporaryDirectory()
        let store = try LocalStore.make(in: directory, path: directory.root + "/a/b/c")
        try await store.create(["n": 1])
    }

    @Test func twoStoresCannotOpenOneDataDirectory() async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(in: directory)
        let error = #expect(throws: StoreError.self) { _ = try LocalStore.make(in: directory) }
        guard case .directoryInUse(let path)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path.hasSuffix("/data"))
        try await store?.create(["n": 1])
        store = nil
        #expect(try LocalStore.make(in: directory).ids().count == 1)
    }

    @Test func aDataDirectoryCanBeOpenedOnceItsStoreIsReleased() async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        for n in 0..<50 {
            let store = try LocalStore.make(in: directory, clock: clock)
            try await store.create(["n": .int(n)])
        }
        // The store that closed last has left one file without a write-ahead log.
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(names) == ["tidegate.sqlite", "lock"])
        #expect(try LocalStore.make(in: directory).ids().count == 50)
    }

    private func execute(_ sql: String, in directory: TemporaryDirectory) throws {
        try DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction {
            try $0.execute(sql: sql)
        }
    }

    private func number(_ sql: String, in directory: TemporaryDirectory) throws -> Int? {
        try DatabaseQueue(path: directory.path + "/tidegate.sqlite").read { try Int.fetchOne($0, sql: sql) }
    }

    // MARK: Unusable database files

    @Test func aDatabaseOfANewerVersionIsRefusedAndUnchanged() async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(in: directory)
        try await store?.create(["n": 1])
        store = nil
        let file = directory.path + "/tidegate.sqlite"
        try execute("PRAGMA journal_mode = DELETE; PRAGMA user_version = 999", in: directory)
        let before = try Data(contentsOf: URL(filePath: file))
        #expect(throws: StoreError.newerFile(version: 999, supported: Migrations.newest)) {
            _ = try LocalStore.make(in: directory)
        }
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
        let beside = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(Set(beside) == ["tidegate.sqlite", "lock"])
    }

    @Test(arguments: [-1, -2_147_483_648])
    func aNegativeDatabaseVersionIsRefused(version: Int) throws {
        let directory = try TemporaryDirectory()
        _ = try LocalStore.make(in: directory)
        try execute("PRAGMA user_version = \(version)", in: directory)
        expectForeignFile(in: directory)
    }

    @Test func aDatabaseWithTablesOfAnotherProgramIsUnchanged() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        try execute("CREATE TABLE contacts (name TEXT)", in: directory)
        expectForeignFile(in: directory)
        #expect(try number("SELECT count(*) FROM sqlite_schema", in: directory) == 1)
    }

    private func expectForeignFile(
        in directory: TemporaryDirectory, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            _ = try LocalStore.make(in: directory)
        }
        guard case .foreignFile? = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
    }

    // MARK: Lost database files

    enum Loss: CaseIterable { case missing, empty, withoutTables }
    enum Leftover: String, CaseIterable {
        case masterKey = "master-key"
        case files
        case log = "tidegate.sqlite-wal"
    }

    @Test(arguments: Loss.allCases, Leftover.allCases)
    func aLostDatabaseFileIsNotReplacedByANewOne(loss: Loss, leftover: Leftover) async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(in: directory)
        var kept = directory.path + "/" + leftover.rawValue
        if leftover == .files {
            try await store?.addFile("a", "content")
            kept = try #require(try store?.file("a").flatMap { store?.contentPath(of: $0) })
        }
        store = nil
        if leftover != .files { try Data("left".utf8).write(to: URL(filePath: kept)) }
        let file = URL(filePath: directory.path + "/tidegate.sqlite")
        try FileManager.default.removeItem(at: file)
        switch loss {
        case .missing: break
        case .empty: try Data().write(to: file)
        case .withoutTables:
            // SQLite itself discards a log that belongs to another database file.
            guard leftover != .log else { return }
            try execute("PRAGMA journal_mode = DELETE; VACUUM", in: directory)
        }
        let error = #expect(throws: StoreError.self) { _ = try LocalStore.make(in: directory) }
        guard case .fileMissing(_, _, let beside)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(beside == [leftover.rawValue])
        #expect(FileManager.default.fileExists(atPath: kept))
        // Moving the leftover away helps, as the error says.
        let place = directory.path + "/" + leftover.rawValue
        try FileManager.default.moveItem(atPath: place, toPath: directory.root + "/moved")
        #expect(try LocalStore.make(in: directory).ids().isEmpty)
    }

    /// If the directory cannot be listed, the store cannot tell which contents exist, so it must not assume that there
    /// are none.
    @Test func aFilesDirectoryThatCannotBeListedIsAnError() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        try Data("no directory".utf8).write(to: URL(filePath: directory.path + "/files"))
        let error = #expect(throws: StoreError.self) { _ = try LocalStore.make(in: directory) }
        guard case .file(_, let path, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == directory.path + "/files")
        #expect(!FileManager.default.fileExists(atPath: directory.path + "/tidegate.sqlite"))
    }

    private func expectStoreError(
        in directory: TemporaryDirectory, path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            let store = try LocalStore.make(in: directory, path: path)
            _ = try store.ids()
        }
    }

    @Test func aFileThatIsNoDatabaseIsAnError() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        let file = URL(filePath: directory.path + "/tidegate.sqlite")
        let text = Data(String(repeating: "This is a letter, not a database. ", count: 100).utf8)
        try text.write(to: file)
        expectStoreError(in: directory)
        #expect(try Data(contentsOf: file) == text)
    }

    @Test func aTruncatedDatabaseFileIsAnError() async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(in: directory)
        for n in 0..<50 { try await store?.create(["n": .int(n)]) }
        store = nil
        let file = URL(filePath: directory.path + "/tidegate.sqlite")
        try execute("PRAGMA journal_mode = DELETE", in: directory)
        try Data(contentsOf: file).prefix(6000).write(to: file)
        expectStoreError(in: directory)
    }

    @Test func aDatabaseOfAnotherProgramIsAnError() throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.path, withIntermediateDirectories: true)
        try execute("CREATE TABLE meta (what TEXT)", in: directory)
        expectStoreError(in: directory)
    }

    @Test func aPathThatCannotBeADirectoryIsAnError() throws {
        let directory = try TemporaryDirectory()
        let file = directory.root + "/file"
        try Data("x".utf8).write(to: URL(filePath: file))
        expectStoreError(in: directory, path: file)
        expectStoreError(in: directory, path: file + "/below")
        let occupied = directory.root + "/occupied"
        try FileManager.default.createDirectory(
            atPath: occupied + "/tidegate.sqlite", withIntermediateDirectories: true)
        expectStoreError(in: directory, path: occupied)
    }

    // MARK: Durability

    @Test func anAnsweredWriteIsInTheDatabaseFile() async throws {
        let directory = try TemporaryDirectory()
        var store: LocalStore? = try LocalStore.make(in: directory) { $0.synchronous = .full }
        let id = try #require(try await store?.create(["name": "é", "n": 1.5]))
        let before = try store?.json(id)
        // A second connection sees the object at once, so the object does not wait in memory.
        #expect(try number("SELECT count(*) FROM objects", in: directory) == 1)
        store = nil
        #expect(try LocalStore.make(in: directory).json(id) == before)
    }
}
