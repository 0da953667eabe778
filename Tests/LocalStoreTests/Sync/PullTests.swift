import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@Suite("Pulled rows")
struct PullTests {
    private func pull(_ store: LocalStore, of name: String = "Holiday") async throws -> PullState? {
        try await store.sync.syncClasses().first { $0.name == name }?.pulls.first
    }

    private func apply(
        _ store: LocalStore, _ changes: [RemoteChange], cursor: String? = nil, completeMs: Int64? = nil
    ) async throws -> PullTally {
        try await store.registerClass("Holiday")
        return try await store.sync.apply(
            changes, of: PullId(className: "Holiday", name: "all"), cursor: cursor.map(PullCursor.init(text:)),
            began: ParseDate(milliseconds: completeMs ?? 5000), isLast: completeMs != nil)
    }

    @Test func rowsAndCursorAreStoredInOneTransaction() async throws {
        let store = try LocalStore.make(.replica)
        try await store.registerClass("Holiday")
        #expect(try await pull(store) == PullState(pull: .all))
        let tally = try await apply(store, [.upsert(.make("a", ["n": 1])), .upsert(.make("b", [:]))], cursor: "c1")
        #expect(tally.upserted == 2)
        #expect(try await pull(store)?.cursor?.text == "c1")
        #expect(try await pull(store)?.completeSince == nil)
        #expect(try await apply(store, [], completeMs: 7000).upserted == 0)
        #expect(try await pull(store)?.cursor?.text == "c1")
        #expect(try await pull(store)?.completeSince == ParseDate(milliseconds: 7000))
    }

    /// The server may have committed changes late, behind the cursor, while the first pull was interrupted.
    @Test func theAuditIntervalBeginsWithAnInterruptedFirstPull() async throws {
        let store = try LocalStore.make(.replica)
        try await store.registerClass("Holiday")
        _ = try await apply(store, [.upsert(.make("a", ["n": 1]))], cursor: "c1")
        _ = try await apply(store, [], completeMs: 900_000)
        let state = try await pull(store)
        #expect(state?.recentlyAuditedAt == ParseDate(milliseconds: 5000))
        #expect(state?.auditedAt == ParseDate(milliseconds: 5000))
        #expect(state?.completeSince == ParseDate(milliseconds: 900_000))
    }

    @Test func aPulledRowIsStoredAsItIsOnTheRemote() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["z": 1, "a": ["__type": "New", "x": 1]], createdMs: 1, updatedMs: 2)])
        #expect(
            try store.object("Holiday", "a")?.jsonText == """
                {"objectId":"a","createdAt":"1970-01-01T00:00:00.001Z","updatedAt":"1970-01-01T00:00:00.002Z",\
                "z":1,"a":{"__type":"New","x":1}}
                """)
    }

    @Test func anUnchangedRowIsNotWritten() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["n": 1])])
        let tally = try await apply(store, [.upsert(.make("a", ["n": 1]))])
        #expect(tally.unchanged == 1)
        #expect(tally.upserted == 0)
    }

    @Test func pendingChangesAreReplayedOverAPulledRow() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["n": 1, "name": "x", "tags": ["t"]])])
        try await store.update("a", ["n": .increment(5), "tags": .op("AddUnique", "u")])
        try await store.pull([.make("a", ["n": 10, "name": "y", "tags": ["s"]], updatedMs: 3000)])
        #expect(try store.fields("a") == ["n": 15, "name": "y", "tags": ["s", "u"]])
        #expect(try store.state("a") == .updated)
    }

    @Test func aPendingOperationThatNoLongerFitsKeepsTheRemotesValue() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["n": 1])])
        try await store.update("a", ["n": .increment(5)])
        try await store.pull([.make("a", ["n": "a text now"], updatedMs: 3000)])
        #expect(try store.fields("a") == ["n": "a text now"])
        #expect(try store.steps(of: "a").count == 1)
    }

    @Test func aPulledRowForAPendingCreateMakesItAnUpdateOfTheDifferences() async throws {
        let store = try LocalStore.make(.replica)
        let id = try await store.create(["n": 1, "k": 3])
        try await store.pull([.make(id, ["n": 2, "m": 2, "k": 3])])
        #expect(try store.steps(of: id) == [#"update {"n":1}"#])
        #expect(try store.fields(id) == ["n": 1, "m": 2, "k": 3])
        #expect(try store.state(id) == .updated)
    }

    @Test func aPulledRowEqualToAPendingCreateEndsIt() async throws {
        let store = try LocalStore.make(.replica)
        let id = try await store.create(["n": 1])
        try await store.pull([.make(id, ["n": 1, "m": 2])])
        #expect(try store.steps(of: id).isEmpty)
        #expect(try store.state(id) == .synced)
    }

    @Test func aMissingObjectWithoutLocalEditsIsRemoved() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["n": 1]), .make("b", ["n": 1]), .make("c", ["n": 1])])
        try await store.update("b", ["n": 2])
        try await store.delete("c")
        let tally = try await store.sync.apply([], gone: ["a", "b", "c", "nobody"], of: "Holiday")
        #expect(tally.removed == 2)
        #expect(tally.conflicts == 1)
        #expect(try store.ids() == ["b"])
        #expect(try store.state("b") == .conflict)
        #expect(try store.fields("b") == ["n": 2])
        #expect(try store.pendingChanges().isEmpty)
    }

    @Test func aTombstoneCountsAsAMissingObject() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["n": 1])])
        let tally = try await apply(store, [.tombstone(className: "Holiday", objectId: "a")])
        #expect(tally.removed == 1)
        #expect(try store.ids().isEmpty)
    }

    @Test func remoteValuesThatALocalEditReplacesAreRecorded() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["n": 1])])
        try await store.update("a", ["n": 2])
        _ = try await apply(store, [.upsert(.make("a", ["n": 3], updatedMs: 3000))])
        #expect(try store.fields("a") == ["n": 2])
        let record = try #require(try store.conflicts(resolved: true).first)
        #expect(record.kind == .fields)
        #expect(record.fields == ["n"])
        #expect(record.resolution == "local")
        #expect(try store.conflicts(resolved: false).isEmpty)
    }

    @Test func aPulledRowIsAppliedAfterTheRequestInFlightEnds() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([.make("a", ["n": 1])])
        try await store.update("a", ["n": .increment(1)])
        try await store.sync.freeze("a")
        let before = try store.json("a")
        let tally = try await apply(store, [.upsert(.make("a", ["n": 9], updatedMs: 3000))])
        #expect(tally == PullTally())
        #expect(try store.json("a") == before)
    }

    @Test func syncFiguresCountObjectsPendingChangesAndConflicts() async throws {
        let store = try LocalStore.make(.replica)
        try await store.registerClass("Holiday")
        _ = try await apply(store, [.upsert(.make("a", [:])), .upsert(.make("b", [:]))], completeMs: 7000)
        try await store.update("a", ["tags": .op("Add", 1)])
        try await store.update("a", ["tags": .op("Remove", 1)])
        try await store.delete("b")
        try await store.create(["n": 1], of: "Birthday")
        try await store.sync.setPaused(true)
        try await store.sync.setLastSync(ParseDate(milliseconds: 8000))
        let figures = try await store.figures()
        #expect(figures.pending == 3)
        #expect(figures.isPaused)
        #expect(figures.lastSyncAt == ParseDate(milliseconds: 8000))
        #expect(
            figures.classes == [
                SyncFigures.Class(
                    name: "Birthday", objects: 1, pending: 1, isPulled: false, initialSyncComplete: false),
                SyncFigures.Class(name: "Holiday", objects: 1, pending: 2, isPulled: true, initialSyncComplete: true),
            ])
        try await store.sync.setPaused(false)
        #expect(try await store.figures().isPaused == false)
    }

    @Test func theRemotesSupportForChosenIdsIsStored() async throws {
        let store = try LocalStore.make(.replica)
        #expect(try await store.sync.remoteAcceptsChosenIds() == nil)
        for known in [true, false, nil] {
            try await store.sync.setRemoteAcceptsChosenIds(known)
            #expect(try await store.sync.remoteAcceptsChosenIds() == known)
        }
    }

    // MARK: Classes

    @Test func theFirstWriteMakesAClassPushOnly() async throws {
        let store = try LocalStore.make(.replica)
        try await store.create(["n": 1])
        #expect(try await store.sync.syncClasses().first?.isPulled == false)
        try await store.registerClass("Holiday")
        #expect(try await pull(store) != nil)
        await #expect(throws: ParseError.self) { try await store.registerClass("1bad") }
    }

    @Test func aClassWithWaitingChangesIsNotUnregistered() async throws {
        let store = try LocalStore.make(.replica)
        let id = try await store.create(["n": 1])
        await #expect(throws: StoreError.self) { try await store.unregisterClass("Holiday", purge: true) }
        try await store.push(id, .applied(id))
        try await store.unregisterClass("Holiday", purge: true)
        #expect(try store.ids().isEmpty)
        #expect(try store.changes(since: 1, classes: nil, limit: 10).entries.last?.kind == .delete)
        await #expect(throws: StoreError.notFound(what: "class Holiday")) {
            try await store.unregisterClass("Holiday", purge: true)
        }
    }

    @Test func unregisteringWithoutAPurgeKeepsTheObjects() async throws {
        let store = try LocalStore.make(.replica)
        try await store.registerClass("Holiday")
        try await store.pull([.make("a", [:])])
        try await store.unregisterClass("Holiday", purge: false)
        #expect(try store.ids() == ["a"])
        #expect(try await store.sync.syncClasses().isEmpty)
        #expect(try store.classNames() == ["Holiday"])
    }
}
