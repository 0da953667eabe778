import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

/// Writes that name the state of the object on which they are based (`_base`), while other changes of the object are
/// pending.
@Suite("Writes based on an earlier state, beside pending changes")
struct WriteBaseTests {
    private let clock = TestClock()
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func open(_ policy: ConflictPolicy = .merge) async throws -> LocalStore {
        let store = try LocalStore.make(.replica, in: directory, clock: clock)
        try await store.configureClass("Holiday") { options, _ in options.policy = policy }
        return store
    }

    private func time(of id: String, in store: LocalStore) throws -> ParseDate {
        try #require(try store.json(id)?["updatedAt"]?.string.flatMap(ParseDate.init(iso:)))
    }

    private func put(_ id: String, _ body: JSONObject, on base: ParseDate, in store: LocalStore) async throws {
        try await store.write(
            .update(className: "Holiday", objectId: id, body: body, terms: WriteTerms(base: base)))
    }

    /// A pulled row changes an object with a pending change. The new state gets its own `updatedAt`, also if the program
    /// is restarted in between.
    @Test func aRowPulledUnderAPendingChangeGivesTheObjectANewUpdateTime() async throws {
        let seen: ParseDate
        do {
            let store = try await open()
            try await store.pull([.make("known", ["a": 1, "b": 1])])
            try await store.update("known", ["b": 2])
            seen = try time(of: "known", in: store)
            try await store.pull([.make("known", ["a": 2, "b": 1], updatedMs: 3000)])
            #expect(try time(of: "known", in: store) > seen)
            #expect(try store.invariantViolations().isEmpty)
        }
        let store = try await open()
        try await put("known", ["a": 3], on: seen, in: store)
        let record = try #require(try store.conflicts(resolved: true).first)
        #expect(record.fields == ["a"])
        #expect(record.remote?.contains("\"a\":2") == true)
        #expect(try store.fields("known") == ["a": 3, "b": 2])
    }

    /// A clock that stands still or is set back gives no state the `updatedAt` of an earlier one. A program that has restarted
    /// knows no earlier states.
    @Test(arguments: [0, -1]) func eachEditGivesANewUpdateTimeEvenIfTheClockStands(seconds: Int) async throws {
        let (id, seen): (String, ParseDate)
        do {
            let store = try await open()
            id = try await store.create(["a": 1])
            seen = try time(of: id, in: store)
            try await store.update(id, ["b": 1])
            clock.advance(.seconds(seconds))
            try await store.update(id, ["a": 2])
            #expect(try time(of: id, in: store) > seen)
        }
        let store = try await open()
        try await put(id, ["a": 3], on: seen, in: store)
        #expect(try store.conflicts(resolved: true).first?.fields == ["a"])
    }

    @Test func aPulledRowWithoutVisibleChangesKeepsTheUpdateTime() async throws {
        let store = try await open()
        try await store.pull([.make("known", ["a": 1, "b": 1])])
        try await store.update("known", ["b": 2])
        let seen = try time(of: "known", in: store)
        clock.advance(.seconds(1))
        try await store.pull([.make("known", ["a": 1, "b": 3], updatedMs: 3000)])
        #expect(try time(of: "known", in: store) == seen)
    }

    /// A user decides about a stale update of an object that was created locally. Both decisions keep the object.
    @Test(arguments: [("remote", 2), ("local", 3)] as [(String, JSONValue)])
    func aNewObjectSurvivesBothDecisionsAboutAStaleUpdate(_ keep: String, _ value: JSONValue) async throws {
        let store = try await open(.manual)
        let id = try await store.create(["a": 1])
        let seen = try time(of: id, in: store)
        clock.advance(.seconds(1))
        try await store.update(id, ["a": 2])
        clock.advance(.seconds(1))
        try await put(id, ["a": 3], on: seen, in: store)
        let conflict = try #require(try store.conflicts(resolved: false).first)
        try await store.resolveConflict(conflict.id, keep: keep, fields: nil)
        #expect(try store.fields(id) == ["a": value])
        #expect(try store.state(id) == .created)
        #expect(try store.invariantViolations().isEmpty)
    }

    /// If a user decides against the deletion, a create that the remote may have executed is not lost.
    @Test(arguments: [true, false]) func aNewObjectSurvivesADecisionAgainstItsStaleDeletion(isEdit: Bool) async throws {
        let store = try await open()
        let id = try await store.create(["a": 1])
        let seen = try time(of: id, in: store)
        clock.advance(.seconds(1))
        try await store.update(id, ["a": 2])
        try await store.push(id, .sendAgain)
        clock.advance(.seconds(1))
        try await store.write(.delete(className: "Holiday", objectId: id, terms: WriteTerms(base: seen)))
        let conflict = try #require(try store.conflicts(resolved: false).first)
        if isEdit {
            try await store.update(id, ["b": 1])
        } else {
            try await store.resolveConflict(conflict.id, keep: "remote", fields: nil)
        }
        #expect(try store.fields(id) == (isEdit ? ["a": 2, "b": 1] : ["a": 2]))
        #expect(try await store.sync.outbox(limit: 9).map(\.step.kind) == [.create])
    }

    /// The outcome of the request in flight may itself cause a conflict.
    @Test func aStaleDeletionIsRefusedUntilTheOutcomeOfARequestIsKnown() async throws {
        let store = try await open()
        let id = try await store.create(["a": 1])
        let seen = try time(of: id, in: store)
        clock.advance(.seconds(1))
        try await store.update(id, ["a": 2])
        let sent = try await store.sync.freeze(id)
        let delete = WriteRequest.delete(className: "Holiday", objectId: id, terms: WriteTerms(base: seen))
        await #expect(throws: StoreError.self) { try await store.write(delete) }
        #expect(try store.fields(id) == ["a": 2])
        try await store.sync.settle([(sent, .sendAgain)])
        try await store.write(delete)
        #expect(try store.conflicts(resolved: false).map(\.kind) == [.deletedLocally])
    }
}
