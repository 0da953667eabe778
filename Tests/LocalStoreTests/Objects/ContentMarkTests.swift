import GRDB
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// The changes that give an object a new tag, and those that leave its tag.
@Suite("Tags of objects")
struct ContentMarkTests {
    private let clock = TestClock()
    private let store: LocalStore

    init() throws { store = try LocalStore.make(.replica, clock: clock) }

    private func tag(_ objectId: String, of className: String = "Holiday", in other: LocalStore? = nil) throws -> String
    {
        try #require(try (other ?? store).object(className, objectId)).contentMark.tag
    }

    // MARK: Changes that keep the tag

    @Test func anAcknowledgedPushKeepsTheTagOfTheObject() async throws {
        let local = try await store.create(["n": 1])
        let before = try tag(local)
        try await store.push(local, .applied("remote", createdMs: 1000, updatedMs: 1000))
        #expect(try store.object("Holiday", local)?.objectId == "remote")
        #expect(try tag(local) == before)
        try await store.pull([.make("remote", ["n": 1], updatedMs: 1500)])
        #expect(try tag("remote") == before)
        try await store.pull([.make("remote", ["n": 1.0], updatedMs: 2500)])
        #expect(try tag("remote") == before)
        #expect(try store.json("remote")?["updatedAt"] == "1970-01-01T00:00:02.500Z")
    }

    @Test func aReplacedIdOfAPointersTargetKeepsTheTagOfTheObject() async throws {
        let country = try await store.create(["name": "Norway"], of: "Country")
        let local = Pointer(className: "Country", objectId: country).json
        let holder = try await store.create(["in": local, "all": [["deep": local]]])
        try await store.pull([.make("known", ["in": Pointer(className: "Country", objectId: "remote").json])])
        let (mine, pulled) = (try tag(holder), try tag("known"))
        try await store.push(country, .applied("remote", createdMs: 1000, updatedMs: 1000))
        #expect(try store.fields(holder)?["in"] == Pointer(className: "Country", objectId: "remote").json)
        #expect(try tag(holder) == mine)
        #expect(try tag("known") == pulled)
    }

    @Test func theRemotesNameOfAFileKeepsTheTagOfTheObject() async throws {
        try await store.registerClass("Holiday")
        try await store.addFile("l_cat.png", "meow")
        let id = try await store.create(["image": .file("l_cat.png")])
        let before = try tag(id)
        let remote = FileReference(name: "r_cat.png", url: "http://remote/files/r_cat.png")
        try await store.sync.fileIsUploaded("l_cat.png", as: remote)
        #expect(try store.fields(id)?["image"] == remote.json)
        #expect(try tag(id) == before)
        try await store.update(id, ["image": .file("l_dog.png")])
        #expect(try tag(id) != before)
    }

    @Test func aRestartKeepsTheTagsOfObjects() async throws {
        let directory = try TemporaryDirectory()
        let tags = try await {
            let store = try LocalStore.make(.replica, in: directory, clock: clock)
            try await store.pull([.make("known", ["n": 1])])
            let id = try await store.create(["n": 1])
            return [id: try tag(id, in: store), "known": try tag("known", in: store)]
        }()
        let store = try LocalStore.make(.replica, in: directory, clock: clock)
        for (id, before) in tags {
            #expect(try tag(id, in: store) == before)
            let write = WriteRequest.update(
                className: "Holiday", objectId: id, body: ["n": 2], terms: WriteTerms(match: .tags([before])))
            try await store.write(write)
            await #expect(throws: StoreError.self) { try await store.write(write) }
        }
    }

    @Test func anObjectThatTheRemoteShowsAgainKeepsItsTag() async throws {
        try await store.pull([.make("same", ["n": 1]), .make("other", ["n": 1])])
        let (same, other) = (try tag("same"), try tag("other"))
        try await store.sync.withhold(["same", "other"], of: "Holiday")
        #expect(try store.object("Holiday", "same") == nil)
        try await store.pull([.make("same", ["n": 1]), .make("other", ["n": 2], updatedMs: 3000)])
        #expect(try tag("same") == same)
        #expect(try tag("other") != other)
    }

    /// All objects of a class show a new relation field, although only one object was written.
    @Test func aNewRelationFieldKeepsTheTagsOfAllObjects() async throws {
        let store = try LocalStore.make(.standalone)
        let (one, other) = (try await store.create(["n": 1]), try await store.create(["n": 2]))
        let tags = [try tag(one, in: store), try tag(other, in: store)]
        let guests: JSONValue = .op("AddRelation", Pointer(className: "Guest", objectId: "ada").json)
        try await store.update(one, ["guests": guests])
        #expect(try store.fields(other)?["guests"] != nil)
        #expect(try [tag(one, in: store), tag(other, in: store)] == tags)
    }

    // MARK: Changes that give a new tag

    @Test(arguments: [StoreIdentity.standalone, .replica])
    func eachChangeOfTheContentGivesANewTag(_ identity: StoreIdentity) async throws {
        let store = try LocalStore.make(identity)
        let id = try await store.create(["n": 1])
        var seen: Set<String> = [try tag(id, in: store)]
        for n in [2, 3, 1, 2] {
            let receipt = try await store.write(
                .update(className: "Holiday", objectId: id, body: ["n": .int(n)], terms: WriteTerms(wantsMark: true)))
            #expect(receipt.mark?.tag == (try tag(id, in: store)))
            #expect(seen.insert(try tag(id, in: store)).inserted, "\(n)")
        }
        try await store.update(id, ["n": 2])
        #expect(seen.contains(try tag(id, in: store)))
    }

    @Test func eachPulledChangeGivesANewTag() async throws {
        var seen: Set<String> = []
        for (n, updatedMs) in [(1, 2000), (2, 3000), (1, 4000)] as [(Int, Int64)] {
            try await store.pull([.make("known", ["n": .int(n)], updatedMs: updatedMs)])
            #expect(seen.insert(try tag("known")).inserted)
        }
        // A pulled row of an object with a pending change.
        try await store.update("known", ["local": true])
        #expect(seen.insert(try tag("known")).inserted)
        try await store.pull([.make("known", ["n": 9], updatedMs: 5000)])
        #expect(try store.fields("known") == ["n": 9, "local": true])
        #expect(seen.insert(try tag("known")).inserted)
    }

    @Test func givingUpARefusedChangeGivesANewTag() async throws {
        try await store.pull([.make("known", ["n": 1])])
        try await store.update("known", ["n": 2])
        let edited = try tag("known")
        try await store.push("known", .rejected(code: 142, message: "no"))
        #expect(try tag("known") == edited)
        try await store.giveUpRejection(try #require(try store.rejections().first).id)
        #expect(try store.fields("known") == ["n": 1])
        #expect(try tag("known") != edited)
    }

    /// Readers who may not see a field get the same tag as readers who may. A change of the field gives both a new
    /// tag.
    @Test func aChangeOfAHiddenFieldGivesANewTag() async throws {
        let store = try LocalStore.make(.standalone)
        let id = try await store.create(["username": "ada", "email": "ada@example.org"], of: "_User")
        let shown = { (principal: Principal) in try #require(try store.object("_User", id, as: principal)) }
        let before = try shown(.public)
        #expect(try before.fields(of: "_User")["email"] == nil)
        #expect(try before.contentMark == shown(.master).contentMark)
        try await store.update(id, ["email": "eve@example.org"], of: "_User")
        #expect(try shown(.public).contentMark != before.contentMark)
        #expect(try shown(.public).contentMark == shown(.master).contentMark)
    }

    /// The row of the new object can have the same primary key as the deleted row.
    @Test(arguments: [StoreIdentity.standalone, .replica])
    func anObjectThatIsCreatedAgainHasANewTag(_ identity: StoreIdentity) async throws {
        let store = try LocalStore.make(identity) { $0.allowsChosenIds = true }
        var seen: Set<String> = []
        for _ in 1...3 {
            try await store.create(["objectId": "chosen", "n": 1])
            #expect(seen.insert(try tag("chosen", in: store)).inserted)
            try await store.delete("chosen")
        }
        for updatedMs in [2000, 3000] as [Int64] where identity == .replica {
            try await store.pull([.make("pulled", ["n": 1], updatedMs: updatedMs)])
            #expect(seen.insert(try tag("pulled", in: store)).inserted)
            try await store.pull([], gone: ["pulled"])
            #expect(try store.object("Holiday", "pulled") == nil)
        }
    }

    /// The database was replaced by an older backup, so the number of the next change was already used before.
    @Test func aTagThatARestoredBackupHasLostIsNotUsedAgain() throws {
        let before = ContentMark.number(ofEntry: 70_000, at: clock.now)
        clock.advance(.seconds(60))
        let after = ContentMark.number(ofEntry: 70_000, at: clock.now)
        #expect(before != after)
        #expect(ContentMark.number(ofEntry: 70_001, at: clock.now) != after)
    }

    // MARK: Migration

    private static let versionBefore = 32

    @Test func objectsOfADatabaseOfAnEarlierVersionGetTags() async throws {
        let directory = try TemporaryDirectory()
        let ids = try await {
            let store = try LocalStore.make(.standalone, in: directory, clock: clock)
            return [try await store.create(["n": 1]), try await store.create(["n": 1])]
        }()
        let path = try DataDirectory(path: directory.path).databasePath
        try await DatabaseQueue(path: path).writeWithoutTransaction { db in
            try db.execute(sql: "ALTER TABLE objects DROP COLUMN content_mark")
            try db.execute(sql: "ALTER TABLE files DROP COLUMN details")
            try db.execute(
                sql: """
                    DROP TABLE live_classes;
                    DROP TABLE live_positions;
                    DROP INDEX changes_before;
                    ALTER TABLE changes DROP COLUMN before;
                    """)
            try db.execute(sql: "PRAGMA user_version = \(Self.versionBefore)")
        }
        let store = try LocalStore.make(.standalone, in: directory, clock: clock)
        let tags = try ids.map { try tag($0, in: store) }
        #expect(Set(tags).count == 2)
        clock.advance(.seconds(1))
        // A new `updatedAt` alone is no change of the content.
        try await store.update(ids[0], ["n": 1])
        #expect(try tag(ids[0], in: store) == tags[0])
        try await store.update(ids[0], ["n": 2])
        #expect(try tag(ids[0], in: store) != tags[0])
        try await store.write(
            .update(className: "Holiday", objectId: ids[1], body: ["n": 2], terms: WriteTerms(match: .tags([tags[1]]))))
    }
}
