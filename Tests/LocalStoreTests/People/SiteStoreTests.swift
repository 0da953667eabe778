import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// The store of a site replica: it enforces rights, and keeps the author of each change.
@Suite struct SiteStoreTests {
    private let store: LocalStore
    private let ada = Principal.signedIn("ada")
    private let ben = Principal.signedIn("ben")
    private static let ofAda: JSONValue = ["ada": ["read": true, "write": true]]

    init() async throws {
        store = try LocalStore.make(.replica) { $0.rights = .site }
        try await store.takeRemoteSchemas([ClassSchema("Note"), ClassSchema("_Role"), ClassSchema("_User")])
    }

    private func write(_ request: WriteRequest, as principal: Principal) async throws -> WriteReceipt {
        try await store.perform([request], as: principal, atomically: false)[0].get()
    }

    private func create(_ body: JSONObject, as principal: Principal) async throws -> String {
        try await write(.create(className: "Note", body: body), as: principal).objectId
    }

    private func update(_ objectId: String, _ body: JSONObject, as principal: Principal) async throws {
        _ = try await write(.update(className: "Note", objectId: objectId, body: body), as: principal)
    }

    private func ids(as principal: Principal) throws -> [String] {
        try store.find("Note", ParseQuery(parameters: ["order": "n"]), as: principal).objects.map(\.objectId)
    }

    private func outbox(of author: SyncAuthor) async throws -> [OutboxEntry] {
        try await store.sync.sending(for: author).outbox(limit: 100)
    }

    private func entries(since: Int64, as principal: Principal) throws -> [String] {
        try store.changes(since: since, classes: ["Note"], limit: 100, as: principal).entries
            .map { "\($0.kind) \($0.objectId)" }
    }

    private func position() throws -> Int64 { try store.changes(since: nil, classes: nil, limit: 1).next }

    // MARK: Users

    /// The remote lists a new user only in the next pull. A user who is not listed by a later pull has been removed.
    @Test(arguments: [(made: Int64(95_000), mayWork: true), (made: 50_000, mayWork: false)])
    func aNewUserWithoutARowMayWorkUntilALaterPullLacksTheUser(made: Int64, mayWork: Bool) async throws {
        try await store.registerClass("_User", files: FileDownloads(), opField: nil)
        _ = try await store.sync.apply(
            [], of: PullId(className: "_User", name: "all"), cursor: nil, began: ParseDate(milliseconds: 100_000),
            isLast: true)
        let session = KnownSession(
            digest: SessionDigest(of: "r:1"), userId: "ada", expiresAt: nil,
            confirmedAt: ParseDate(milliseconds: made), changedAt: ParseDate(milliseconds: made), sealed: [1])
        try await store.people.save(
            session, user: ["objectId": "ada", "createdAt": .string(ParseDate(milliseconds: made).iso)])
        #expect(try (store.people.signedIn("ada", by: session.digest) != nil) == mayWork)
    }

    // MARK: Authors

    @Test func changesOfTwoAuthorsToOneObjectStaySeparate() async throws {
        let id = try await create(["n": 1], as: ada)
        try await update(id, ["n": 2], as: ada)
        try await update(id, ["n": 3], as: ben)
        #expect(try store.object("Note", id, as: ada)?.fields(of: "Note")["n"] == 3)
        #expect(try await store.sync.waitingAuthors() == [.user("ada"), .user("ben")])
        #expect(try await outbox(of: .gateway).isEmpty)
        let first = try await outbox(of: .user("ada"))
        #expect(first.map(\.step.operations.json) == [["n": 2]])
        // The second change waits for the first one, which creates the object.
        #expect(try await outbox(of: .user("ben")).isEmpty)
        let sending = try await store.sync.sending(for: .user("ada"))
        try await sending.settle([(try await sending.freeze(id), .applied("remoteId", createdMs: 1, updatedMs: 2))])
        #expect(try await outbox(of: .user("ben")).map(\.objectId) == ["remoteId"])
        #expect(try await store.sync.waitingAuthors() == [.user("ben")])
    }

    @Test func unknownOutcomesOfDifferentAuthorsAreProvenSeparately() async throws {
        let id = try await create(["n": 1], as: ada)
        let sending = try await store.sync.sending(for: .user("ada"))
        _ = try await sending.freeze(id)
        #expect(try await store.sync.unknownOutcomes().isEmpty)
        #expect(try await sending.unknownOutcomes().map(\.objectId) == [id])
        #expect(try await store.sync.classesWithUnknownCreates() == ["Note"])
    }

    /// The gateway reads for all authors, so the acknowledged change is confirmed by the gateway's pull.
    @Test func aPullOfTheGatewayConfirmsTheAcknowledgedChangeOfAUser() async throws {
        try await store.pull([.make("known", ["n": 1], of: "Note")])
        try await update("known", ["n": 2], as: ada)
        let sending = try await store.sync.sending(for: .user("ada"))
        try await sending.settle([(try await sending.freeze("known"), .applied("known", updatedMs: 3000))])
        #expect(try await store.sync.provisionalIds(of: "Note") == ["known"])
        try await store.pull([.make("known", ["n": 2], of: "Note", updatedMs: 3000)])
        #expect(try await store.sync.provisionalIds(of: "Note").isEmpty)
    }

    @Test func changesWithoutASessionAndWithTheMasterKeyHaveAuthors() async throws {
        _ = try await create(["n": 1], as: .public)
        _ = try await create(["n": 2], as: .master)
        #expect(try await store.sync.waitingAuthors() == [.public])
        #expect(try await outbox(of: .public).count == 1)
        #expect(try await outbox(of: .gateway).count == 1)
    }

    // MARK: Deleted accounts

    /// A complete pull of the users, with Ada alone.
    private func pullAda(_ fields: JSONObject) async throws {
        try await store.registerClass("_User", files: FileDownloads(), opField: nil)
        _ = try await store.sync.apply(
            [.upsert(.make("ada", fields, of: "_User"))], of: PullId(className: "_User", name: "all"), cursor: nil,
            began: ParseDate(milliseconds: 100_000), isLast: true)
    }

    /// The remote refuses the sessions of a deleted user.
    @Test func theDeletionOfAUserIsSentAfterTheUsersEarlierChanges() async throws {
        try await pullAda(["username": "ada", "ACL": Self.ofAda])
        let first = try await create(["n": 1], as: ada)
        let second = try await create(["to": Pointer(className: "Note", objectId: first).json], as: ada)
        _ = try await write(.delete(className: "_User", objectId: "ada"), as: ada)
        let sending = try await store.sync.sending(for: .user("ada"))
        for id in [first, second] {
            #expect(try await !outbox(of: .user("ada")).contains { $0.className == "_User" })
            try await sending.settle([(try await sending.freeze(id), .applied(id, createdMs: 1, updatedMs: 2))])
        }
        #expect(try await outbox(of: .user("ada")).map(\.pointer) == [Pointer(className: "_User", objectId: "ada")])
        #expect(try store.people.isLeaving("ada") && !store.people.mayWork("ada"))
        try await sending.settle([(try await sending.freeze("ada"), .applied("ada"))])
        #expect(try !store.people.isLeaving("ada") && !store.people.mayWork("ada"))
    }

    /// A refused change, which waits for a decision, does not delay the deletion of the user.
    @Test func aUsersDeletionIsSentDespiteARefusedChange() async throws {
        try await pullAda(["username": "ada", "ACL": Self.ofAda])
        let id = try await create(["n": 1], as: ada)
        _ = try await write(.delete(className: "_User", objectId: "ada"), as: ada)
        let sending = try await store.sync.sending(for: .user("ada"))
        try await sending.settle([(try await sending.freeze(id), .rejected(code: 119, message: "no"))])
        #expect(try await outbox(of: .user("ada")).map(\.className) == ["_User"])
    }

    @Test func aLockedUserIsNotTakenForADeletedUser() async throws {
        try await pullAda(["username": "ada", "ACL": Self.ofAda])
        #expect(try store.people.mayWork("ada") && !store.people.isLeaving("ada"))
        // A user cannot remove the user's own entry from the ACL of the user object.
        _ = try await write(.update(className: "_User", objectId: "ada", body: ["ACL": [:]]), as: ada)
        #expect(try store.people.mayWork("ada") && !store.people.isLeaving("ada"))
        try await store.pull([.make("ada", ["username": "ada", "ACL": [:]], of: "_User", updatedMs: 3000)])
        #expect(try !store.people.mayWork("ada") && !store.people.isLeaving("ada"))
    }

    // MARK: Forwarded calls

    private func queue(of principal: Principal, naming things: NamedThings = NamedThings()) throws -> CallersQueue {
        try store.callersQueue(upTo: store.latestWrite(), naming: things, by: principal)
    }

    @Test func aForwardedCallWaitsForTheChangesOfItsCallerAlone() async throws {
        let id = try await create(["n": 1], as: ada)
        for (principal, count) in [(ada, 1), (ben, 0), (.public, 0), (.master, 0)] {
            #expect(try queue(of: principal).waiting == count, "\(principal)")
        }
        let sending = try await store.sync.sending(for: .user("ada"))
        try await sending.settle([(try await sending.freeze(id), .rejected(code: 119, message: "no"))])
        var things = NamedThings()
        things.pointers = [Pointer(className: "Note", objectId: id)]
        for principal in [ada, ben, .public, .master] {
            let queue = try queue(of: principal, naming: things)
            #expect(queue.undecided?.objectId == (principal == ada ? id : nil))
            #expect(queue.waiting == 0 && queue.unacknowledged == (principal == ada ? 1 : 0))
        }
    }

    @Test func aChangeWaitsForEarlierChangesOfOtherAuthors() async throws {
        let id = try await create(["n": 1], as: ada)
        try await update(id, ["n": 2], as: ben)
        let pointer = Pointer(className: "Note", objectId: id).json
        _ = try await create(["to": pointer], as: .master)
        _ = try await create(["n": 3], as: .public)
        for (principal, isWaiting) in [(ada, false), (ben, true), (.master, true), (.public, false)] {
            #expect(try queue(of: principal).waitsForOthers == isWaiting, "\(principal)")
        }
        // A call does not wait for changes that need a decision.
        let sending = try await store.sync.sending(for: .user("ada"))
        try await sending.settle([(try await sending.freeze(id), .rejected(code: 119, message: "no"))])
        #expect(try !queue(of: ben).waitsForOthers && !queue(of: .master).waitsForOthers)
        // A call that names the object cannot find Ben's change on the remote.
        var things = NamedThings()
        things.pointers = [Pointer(className: "Note", objectId: id)]
        #expect(try queue(of: ben, naming: things).undecided?.objectId == id)
        #expect(try queue(of: .public, naming: things).undecided == nil)
    }

    // MARK: Rights

    @Test func aSiteReplicaShowsPulledRowsAccordingToTheirACLs() async throws {
        try await store.pull([
            .make("open", ["n": 1], of: "Note"), .make("adas", ["n": 2, "ACL": Self.ofAda], of: "Note"),
        ])
        #expect(try ids(as: ada) == ["open", "adas"])
        #expect(try ids(as: ben) == ["open"])
        #expect(try ids(as: .public) == ["open"])
        #expect(try store.object("Note", "adas", as: ben) == nil)
        await #expect(throws: ParseError.objectNotFound) { try await update("adas", ["n": 3], as: ben) }
    }

    /// Until the remote has described a class, its permissions are unknown.
    @Test func aClassWithoutASchemaIsAccessibleWithTheMasterKeyOnly() async throws {
        try await store.pull([.make("row", ["n": 1], of: "Secret")])
        #expect(throws: ParseError.self) { try store.find("Secret", ParseQuery(limit: 1), as: ada) }
        #expect(try store.find("Secret", ParseQuery(limit: 1), as: .master).objects.count == 1)
        try await store.takeRemoteSchemas([ClassSchema("Secret")])
        #expect(try store.find("Secret", ParseQuery(limit: 1), as: ada).objects.count == 1)
    }

    @Test func aSiteReplicaEnforcesTheClassPermissionsOfTheRemote() async throws {
        try await store.pull([.make("row", ["n": 1], of: "Note")])
        let start = try position()
        var closed = ClassSchema("Note")
        closed.permissions = ["find": ["ben": true], "get": ["ben": true]]
        try await store.takeRemoteSchemas([closed])
        #expect(throws: ParseError.self) { try ids(as: ada) }
        #expect(try ids(as: ben) == ["row"])
        #expect(try entries(since: start, as: ada) == ["delete row"])
        #expect(try entries(since: start, as: ben) == [])
    }

    @Test func theFeedReportsAPulledACLAsADeletionToThoseWhoLoseTheRight() async throws {
        try await store.pull([.make("row", ["n": 1], of: "Note")])
        let start = try position()
        try await store.pull([.make("row", ["n": 1, "ACL": Self.ofAda], of: "Note", updatedMs: 3000)])
        #expect(try entries(since: start, as: ben) == ["delete row"])
        #expect(try entries(since: start, as: ada) == ["update row"])
    }

    @Test func theFeedReportsReadableObjectsAsCreatesToANewMemberOfARole() async throws {
        try await store.pull([.make("row", ["n": 1, "ACL": ["role:staff": ["read": true]]], of: "Note")])
        try await store.pull([.make("r1", ["name": "staff"], of: "_Role")])
        let start = try position()
        let owner = Pointer(className: "_Role", objectId: "r1")
        func set(_ ids: [String]) async throws {
            try await store.sync.setBaseMembers(
                [BaseMembers(owner: owner, field: "users", memberClass: "_User", memberIds: ids)],
                at: LocalStore.serverTime, overlap: .zero)
        }
        try await set(["ben"])
        let roles = try await store.transactions.read { try RoleMembership(db: $0).roles(of: "ben") }
        #expect(roles == ["staff"])
        #expect(try entries(since: start, as: .signedIn("ben", roles: roles)) == ["create row"])
        #expect(try entries(since: start, as: ada) == [])
        let between = try position()
        try await set([])
        #expect(try entries(since: between, as: ben) == ["delete row"])
    }

    /// A create gets the remote's id. The deletion of the local id is shown only to those who could read it.
    @Test func theReplacementOfAnIdIsReportedToReadersOnly() async throws {
        let start = try position()
        let id = try await create(["n": 1, "ACL": Self.ofAda], as: ada)
        let sending = try await store.sync.sending(for: .user("ada"))
        try await sending.settle([(try await sending.freeze(id), .applied("remoteId", createdMs: 1, updatedMs: 2))])
        #expect(try entries(since: start, as: ada).suffix(2) == ["delete \(id)", "create remoteId"])
        #expect(try entries(since: start, as: ben) == [])
    }
}
