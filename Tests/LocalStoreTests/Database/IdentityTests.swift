import Foundation
import GRDB
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Identity of a database")
struct IdentityTests {
    /// Creates or opens the database in a directory, and closes it.
    private func file(_ identity: StoreIdentity, in directory: TemporaryDirectory) throws -> String {
        try LocalStore.make(identity, in: directory).replicaId
    }

    private func expectMismatch(
        _ hint: String, _ identity: StoreIdentity, in directory: TemporaryDirectory, path: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
            _ = try LocalStore.make(identity, in: directory, path: path)
        }
        guard case .identityMismatch(_, let given)? = error else {
            Issue.record("\(String(describing: error))", sourceLocation: sourceLocation)
            return
        }
        #expect(given.contains(hint), sourceLocation: sourceLocation)
    }

    @Test(arguments: [StoreIdentity.standalone, .replica]) func aDatabaseIsReopenedWithTheSameRemote(
        _ identity: StoreIdentity
    ) throws {
        let directory = try TemporaryDirectory()
        let replicaId = try file(identity, in: directory)
        #expect(replicaId.count == 20)
        #expect(try file(identity, in: directory) == replicaId)
    }

    @Test(arguments: [
        StoreIdentity.Remote(url: "http://localhost:1337/other", applicationId: "app"),
        StoreIdentity.Remote(url: "http://localhost:1337/parse", applicationId: "other"),
        StoreIdentity.Remote(url: "http://localhost:1337/parse", applicationId: nil),
        StoreIdentity.Remote(kind: "tables", url: "http://localhost:1337/parse", applicationId: "app"),
    ])
    func aDatabaseOfAnotherRemoteIsRefused(_ remote: StoreIdentity.Remote) async throws {
        let directory = try TemporaryDirectory()
        try await LocalStore.make(.replica, in: directory).create(["name": "Easter"])
        expectMismatch("--data", StoreIdentity(remote: remote), in: directory)
        _ = try file(.replica, in: directory)
    }

    /// A user may have mistyped the address, so the address can change until the remote has answered.
    @Test func theRemoteOfADatabaseMayChangeBeforeItsFirstAnswer() async throws {
        let directory = try TemporaryDirectory()
        let other = StoreIdentity(remote: .init(url: "http://localhost:1337/other", applicationId: "app"))
        let replicaId = try file(.replica, in: directory)
        #expect(try file(other, in: directory) == replicaId)
        let store = try LocalStore.make(other, in: directory)
        try await store.registerClass("Holiday")
        #expect(try await store.sync.syncClasses().map(\.name) == ["Holiday"])
    }

    /// A gateway that was started without a remote can get one until its file has data.
    @Test func databaseOfAStandaloneGatewayBecomesAReplicaWhileItIsEmpty() async throws {
        let directory = try TemporaryDirectory()
        let replicaId = try file(.standalone, in: directory)
        #expect(try await LocalStore.make(.standalone, in: directory).maintenance.isUntouched())
        #expect(try file(.replica, in: directory) == replicaId)
        expectMismatch("give --remote", .standalone, in: directory)
    }

    @Test func databaseOfAStandaloneGatewayWithDataOrASchemaDoesNotBecomeAReplica() async throws {
        let deleted = try TemporaryDirectory()
        do {
            let store = try LocalStore.make(.standalone, in: deleted)
            let id = try await store.create(["name": "Easter"])
            #expect(try await !store.maintenance.isUntouched())
            try await store.delete(id)
            #expect(try await !store.maintenance.isUntouched())
        }
        expectMismatch("--data", .replica, in: deleted)
        let described = try TemporaryDirectory()
        do {
            let store = try LocalStore.make(.standalone, in: described)
            _ = try await store.changeSchema("Holiday") { _ in SchemaChange(ClassSchema("Holiday")) }
        }
        expectMismatch("--data", .replica, in: described)
    }

    @Test func theRefusalOfAnotherKindOfRemoteNamesBothKinds() async throws {
        let directory = try TemporaryDirectory()
        try await LocalStore.make(.replica, in: directory).create(["name": "Easter"])
        let tables = StoreIdentity.Remote(kind: "tables", url: "http://localhost:1337/parse", applicationId: nil)
        let error = #expect(throws: StoreError.self) {
            _ = try LocalStore.make(StoreIdentity(remote: tables), in: directory)
        }
        guard case .identityMismatch(let reason, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            reason.hasSuffix(
                "is a replica of http://localhost:1337/parse (kind parse, application id app), "
                    + "not of http://localhost:1337/parse (kind tables)"))
    }

    @Test func aDatabaseIsReopenedWithARemoteWithoutApplicationId() throws {
        let directory = try TemporaryDirectory()
        let tables = StoreIdentity(remote: .init(kind: "tables", url: "http://localhost/tables", applicationId: nil))
        #expect(try file(tables, in: directory) == file(tables, in: directory))
    }

    /// The changes in the database of one user must not be sent to the tables of another user.
    @Test func aDatabaseOfAnotherTokenUserIsRefused() async throws {
        let directory = try TemporaryDirectory()
        let tables = { (subject: String?) in
            StoreIdentity(
                remote: .init(kind: "datasync", url: "http://localhost/tables", applicationId: nil, subject: subject))
        }
        try await LocalStore.make(tables(nil), in: directory).create(["n": 1])
        _ = try file(tables("alice"), in: directory)
        _ = try file(tables(nil), in: directory)
        expectMismatch("--data", tables("bob"), in: directory)
        _ = try file(tables("alice"), in: directory)
    }

    /// A database of an earlier version does not name the kind of its remote. It stays usable, and nothing is pulled
    /// again.
    @Test func aDatabaseWithoutAKindOfRemoteKeepsItsRemote() async throws {
        let directory = try TemporaryDirectory()
        let replicaId: String
        do {
            let store = try LocalStore.make(.replica, in: directory)
            replicaId = store.replicaId
            try await store.create(["name": "Easter"])
            try await store.sync.setRemoteAcceptsChosenIds(true)
        }
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").write {
            try $0.execute(sql: "DELETE FROM meta WHERE key = 'remote_kind'")
        }
        let store = try LocalStore.make(.replica, in: directory)
        #expect(store.replicaId == replicaId)
        #expect(try await store.sync.remoteAcceptsChosenIds() == true)
        #expect(try await store.sync.outbox(limit: 10).count == 1)
    }

    @Test func aDatabaseOfAnotherModeIsRefused() async throws {
        let replica = try TemporaryDirectory()
        _ = try file(.replica, in: replica)
        expectMismatch("give --remote", .standalone, in: replica)
        let standalone = try TemporaryDirectory()
        try await LocalStore.make(.standalone, in: standalone).create(["name": "Easter"])
        expectMismatch("without --remote", .replica, in: standalone)
    }

    @Test(arguments: [true, false]) func aCopiedDataDirectoryIsRefusedUnlessItTakesOver(
        isOriginalGone: Bool
    ) async throws {
        let directory = try TemporaryDirectory()
        let replicaId = try file(.replica, in: directory)
        let copy = directory.root + "/copy"
        try FileManager.default.copyItem(atPath: directory.path, toPath: copy)
        if isOriginalGone { try FileManager.default.removeItem(atPath: directory.path) }
        expectMismatch("--take-over", .replica, in: directory, path: copy)
        expectMismatch("--take-over", .replica, in: directory, path: copy)

        let clock = TestClock(seed: 2)
        let taken = try LocalStore.make(.replica, in: directory, path: copy, clock: clock) { $0.takesOver = true }
            .replicaId
        #expect(taken != replicaId)
        #expect(try LocalStore.make(.replica, in: directory, path: copy).replicaId == taken)
        if !isOriginalGone { #expect(try file(.replica, in: directory) == replicaId) }
    }

    @Test func aBackupInPlaceOfTheDataDirectoryCountsAsACopy() throws {
        let directory = try TemporaryDirectory()
        _ = try file(.replica, in: directory)
        let backup = directory.root + "/backup"
        try FileManager.default.copyItem(atPath: directory.path, toPath: backup)
        try FileManager.default.moveItem(atPath: directory.path, toPath: directory.root + "/old")
        try FileManager.default.moveItem(atPath: backup, toPath: directory.path)
        expectMismatch("--take-over", .replica, in: directory)
    }

    /// File systems often give the inode number of a deleted file to the next new file.
    @Test func aCopyWithTheInodeNumberOfTheDeletedOriginalCountsAsACopy() async throws {
        let directory = try TemporaryDirectory()
        _ = try file(.replica, in: directory)
        let database = directory.path + "/tidegate.sqlite"
        let copy = directory.root + "/copy"
        try FileManager.default.copyItem(atPath: directory.path, toPath: copy)
        try FileManager.default.removeItem(atPath: directory.path)
        try FileManager.default.moveItem(atPath: copy, toPath: directory.path)
        let birth = try #require(try await knownFile(database).split(separator: " ").dropFirst().first)
        let number = try #require(
            try FileManager.default.attributesOfItem(atPath: database)[.systemFileNumber] as? UInt64)
        try await setKnownFile("\(number) \(birth)", database)
        expectMismatch("--take-over", .replica, in: directory)
    }

    @Test func aFileOfAnEarlierVersionKnowsOnlyItsInodeNumberAndLearnsItsBirthTime() async throws {
        let directory = try TemporaryDirectory()
        let replicaId = try file(.replica, in: directory)
        let database = directory.path + "/tidegate.sqlite"
        let known = try await knownFile(database)
        try await setKnownFile(String(known.prefix { $0 != " " }), database)
        #expect(try file(.replica, in: directory) == replicaId)
        #expect(try await knownFile(database) == known)
    }

    private func knownFile(_ database: String) async throws -> String {
        try await DatabaseQueue(path: database).read {
            try String.fetchOne($0, sql: "SELECT value FROM meta WHERE key = 'file'") ?? ""
        }
    }

    private func setKnownFile(_ file: String, _ database: String) async throws {
        try await DatabaseQueue(path: database).write {
            try $0.execute(sql: "UPDATE meta SET value = ? WHERE key = 'file'", arguments: [file])
        }
    }

    @Test func aRenamedDataDirectoryIsNotTakenForACopy() async throws {
        let directory = try TemporaryDirectory()
        let replicaId = try file(.replica, in: directory)
        for name in ["renamed", "again", "data"] {
            let path = directory.root + "/" + name
            let old = try FileManager.default.contentsOfDirectory(atPath: directory.root)[0]
            try FileManager.default.moveItem(atPath: directory.root + "/" + old, toPath: path)
            #expect(try LocalStore.make(.replica, in: directory, path: path).replicaId == replicaId)
        }
    }

    @Test func aSymbolicLinkToTheDataDirectoryIsNotTakenForACopy() throws {
        let directory = try TemporaryDirectory()
        let replicaId = try file(.replica, in: directory)
        let link = directory.root + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory.path)
        #expect(try LocalStore.make(.replica, in: directory, path: link).replicaId == replicaId)
    }

    @Test func takingOverTheOriginalDataDirectoryChangesNothing() async throws {
        let directory = try TemporaryDirectory()
        let replicaId = try file(.replica, in: directory)
        try await LocalStore.make(.replica, in: directory).create(["name": "Easter"])
        #expect(try LocalStore.make(.replica, in: directory) { $0.takesOver = true }.replicaId == replicaId)
        let other = StoreIdentity(remote: .init(url: "http://elsewhere/parse", applicationId: "app"))
        #expect(throws: StoreError.self) { _ = try LocalStore.make(other, in: directory) { $0.takesOver = true } }
    }
}
