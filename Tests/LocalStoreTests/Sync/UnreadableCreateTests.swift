import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

/// A create has an unknown outcome, and the replica may not read the object on the remote, so a user must decide.
@Suite("Creates of unknown outcome that the replica may not read")
struct UnreadableCreateTests {
    private let store: LocalStore
    private let id: String
    private let conflict: ListedConflict

    init() async throws {
        store = try LocalStore.make(.replica)
        id = try await store.create(["n": 1])
        let entry = try await store.push(id, .unknown(reason: "time-out"))
        try await store.sync.settle([(entry, .conflict(.ambiguousCreate, remote: nil))])
        try await store.update(id, ["name": "since"])
        conflict = try #require(try store.conflicts(resolved: false).first)
    }

    private func resolve(_ fields: JSONObject?) async throws {
        try await store.resolveConflict(conflict.id, keep: "applied", fields: fields)
    }

    /// Checks that the object has the id, and that the later changes wait as an update of the remote's object.
    private func expectBound(to objectId: String) async throws {
        #expect(try store.steps(of: objectId) == [#"update {"name":"since"}"#])
        #expect(try store.fields(objectId) == ["n": 1, "name": "since"])
        #expect(try store.conflicts(resolved: true).map(\.resolution) == ["applied"])
        let entry = try #require(try await store.sync.outbox(limit: 9).first)
        #expect(entry.base?.fields == ["n": 1])
        #expect(try await store.sync.provisionalIds(of: "Holiday") == [objectId])
        #expect(try store.invariantViolations().isEmpty)
    }

    @Test func anUnreadableCreateKeepsItsIdIfTheRemoteAcceptsChosenIds() async throws {
        try await store.sync.setRemoteAcceptsChosenIds(true)
        try await resolve(nil)
        try await expectBound(to: id)
    }

    @Test func anUnreadableCreateGetsTheIdThatTheDecisionNames() async throws {
        try await store.sync.setRemoteAcceptsChosenIds(false)
        try await resolve(["objectId": "remoteId01"])
        try await expectBound(to: "remoteId01")
        #expect(try store.object("Holiday", id)?.objectId == "remoteId01")
    }

    @Test(arguments: [false, nil]) func aDecisionWithoutTheNecessaryIdIsRefused(acceptsChosenIds: Bool?) async throws {
        try await store.sync.setRemoteAcceptsChosenIds(acceptsChosenIds)
        let error = await #expect(throws: ParseError.self) { try await resolve(nil) }
        #expect(error?.message.contains("objectId") == true)
        #expect(try store.conflicts(resolved: false).map(\.id) == [conflict.id])
        #expect(try store.state(id) == .conflict)
    }

    /// A mistyped id must not bind the object to one that does not exist.
    @Test func aDecisionWithAnIdThatAPulledClassLacksIsRefused() async throws {
        try await store.registerClass("Holiday")
        _ = try await store.sync.apply(
            [.upsert(.make("remoteId01", ["n": 1]))], of: PullId(className: "Holiday", name: "all"), cursor: nil,
            began: ParseDate(milliseconds: 1_700_000_000_000), isLast: true)
        let error = await #expect(throws: ParseError.self) { try await resolve(["objectId": "remoteId0l"]) }
        #expect(error?.code == .objectNotFound)
        #expect(try store.conflicts(resolved: false).map(\.id) == [conflict.id])
        try await resolve(["objectId": "remoteId01"])
        #expect(try store.fields("remoteId01") == ["n": 1, "name": "since"])
        #expect(try store.invariantViolations().isEmpty)
    }

    /// A client may send back the local id along with the other fields. The local id is a valid decision only if the
    /// remote may have accepted it.
    @Test func aDecisionWithTheLocalIdIsRefusedIfTheRemoteAssignsIds() async throws {
        try await store.sync.setRemoteAcceptsChosenIds(false)
        await #expect(throws: ParseError.self) { try await resolve(["objectId": .string(id)]) }
        try await store.sync.setRemoteAcceptsChosenIds(nil)
        try await resolve(["objectId": .string(id)])
        try await expectBound(to: id)
    }

    @Test func aPulledRowResolvesTheConflictAboutAnUnreadableCreate() async throws {
        try await store.pull([.make(id, ["n": 1])])
        #expect(try store.conflicts(resolved: false).isEmpty)
        #expect(try store.conflicts(resolved: true).map(\.resolution) == ["applied"])
        #expect(try store.steps(of: id) == [#"update {"name":"since"}"#])
        #expect(try await store.sync.outbox(limit: 9).count == 1)
    }
}
