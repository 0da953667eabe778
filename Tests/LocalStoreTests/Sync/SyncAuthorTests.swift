import GRDB
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Two authors with one database. They share the objects, but each author has separate pending changes, pulls and
/// proofs of unknown outcomes.
@Suite("Syncs of two authors")
struct SyncAuthorTests {
    private static let other = AuthorKey(key: 2)
    private static let part = PullId(className: "Holiday", name: "part")
    private static let earlier = ParseDate(milliseconds: 5000)

    private let store: LocalStore
    private var own: any SyncStore { store.sync(as: .gateway) }
    private var others: any SyncStore { store.sync(as: Self.other) }

    init() async throws {
        store = try LocalStore.make(.replica)
        try await store.transactions.write { try $0.db.run("INSERT INTO identities (key, name) VALUES (2, 'u')") }
        try await store.pull([.make("known", ["n": 1])])
    }

    private static func write(
        _ request: WriteRequest, as author: AuthorKey, in store: LocalStore
    ) async throws -> WriteReceipt {
        try await store.transactions.write(of: author, isLocal: true) {
            try LocalWrites($0, ReplicaWrites.self).perform(PreparedWrite(request, fieldsMax: 1000))
        }
    }

    /// Updates an object as the other author.
    private func update(_ objectId: String, _ body: JSONObject) async throws {
        _ = try await Self.write(
            .update(className: "Holiday", objectId: objectId, body: body), as: Self.other, in: store)
    }

    private func create(_ body: JSONObject) async throws -> String {
        try await Self.write(.create(className: "Holiday", body: body), as: Self.other, in: store).objectId
    }

    private func ids(_ sync: any SyncStore) async throws -> [String] {
        try await sync.outbox(limit: 10).map(\.objectId)
    }

    private func keys(_ sql: String) throws -> [Int64] {
        try store.transactions.read { try $0.rows(sql) { $0.integer(0) } }
    }

    /// Both authors pull a part of the class.
    private func pullParts() async throws {
        for author in [AuthorKey.gateway, Self.other] {
            try await store.transactions.write(of: author) { transaction in
                try ClassRegistration("Holiday", in: transaction).configure {
                    $1 = [NamedPull(name: "part", conditions: ["n": 1])]
                }
            }
        }
    }

    private func state(_ sync: any SyncStore) async throws -> PullState? {
        try await sync.syncClasses().first { $0.name == "Holiday" }?.pulls.first
    }

    private func member(_ id: String) -> RemoteChange { .upsert(.make(id, ["n": 1])) }

    // MARK: Steps

    @Test func aSyncSendsOnlyTheChangesOfItsAuthor() async throws {
        let first = try await store.create(["n": 1])
        let second = try await create(["n": 2])
        #expect(try await ids(own) == [first])
        #expect(try await ids(others) == [second])
        #expect(try await own.waitingCount() == 1)
        #expect(try await others.outbox(limit: 1).map(\.step.author) == [Self.other])
        #expect(try store.pendingChanges().map(\.objectId) == [first, second])
        #expect(try await store.figures().pending == 2)
    }

    /// The steps of an object are sent in the order of the writes.
    @Test func aPendingChangeWaitsForAnotherAuthorsEarlierChangeOfItsObject() async throws {
        try await store.update("known", ["n": 2])
        try await update("known", ["m": 3])
        #expect(try store.steps(of: "known") == [#"update {"n":2}"#, #"update {"m":3}"#])
        #expect(try store.fields("known") == ["n": 2, "m": 3])
        #expect(try await ids(others) == [])
        try await store.push("known", .applied("known", updatedMs: 3000))
        #expect(try await ids(others) == ["known"])
        try await others.settle([(try await others.freeze("known"), .applied("known", updatedMs: 4000))])
        #expect(try store.fields("known") == ["n": 2, "m": 3])
        #expect(try await store.figures().pending == 0)
    }

    /// The rebase keeps the pending steps of both authors.
    @Test func pendingChangesOfAllAuthorsAreReplayedOverAPulledRow() async throws {
        try await store.update("known", ["n": .increment(1)])
        try await update("known", ["n": .increment(10)])
        _ = try await others.apply([.make("known", ["n": 100], updatedMs: 9000)], gone: [], of: "Holiday")
        #expect(try store.fields("known") == ["n": 111])
        #expect(try store.invariantViolations() == [])
    }

    @Test func anUnknownOutcomeIsProvenByTheSyncOfTheSendingAuthor() async throws {
        let first = try await store.create(["n": 1])
        let second = try await create(["n": 2])
        for (sync, id) in [(own, first), (others, second)] {
            try await sync.settle([(try await sync.freeze(id), .unknown(reason: "time-out", at: Self.earlier))])
            #expect(try await sync.unknownOutcomes().map(\.objectId) == [id])
            #expect(try await sync.unknownOutcomes().map(\.unansweredAt) == [Self.earlier])
        }
        #expect(try keys("SELECT identity FROM unanswered ORDER BY identity") == [1, 2])
        // A request of either author may still arrive and change the object.
        try await own.noteUnanswered([Pointer(className: "Holiday", objectId: second)], at: Self.earlier + .seconds(1))
        #expect(try await others.unknownOutcomes().map(\.unansweredAt) == [Self.earlier + .seconds(1)])
    }

    @Test func interruptedRequestsOfAllAuthorsHaveAnUnknownOutcome() async throws {
        let directory = try TemporaryDirectory()
        var sent: [String] = []
        do {
            let store = try LocalStore.make(.replica, in: directory)
            for author in [AuthorKey.gateway, Self.other] {
                let id = try await Self.write(.create(className: "Holiday", body: ["n": 1]), as: author, in: store)
                try await store.transactions.write {
                    try $0.db.run("INSERT OR IGNORE INTO identities (key, name) VALUES (2, 'u')")
                }
                try await store.sync(as: author).freeze(id.objectId)
                sent.append(id.objectId)
            }
        }
        let store = try LocalStore.make(.replica, in: directory)
        #expect(try await store.sync(as: .gateway).unknownOutcomes().map(\.objectId) == [sent[0]])
        #expect(try await store.sync(as: Self.other).unknownOutcomes().map(\.objectId) == [sent[1]])
        #expect(try await store.sync(as: Self.other).unknownOutcomes().map(\.step.phase) == [.unknown])
    }

    // MARK: Decisions

    /// The remote may have executed the edit, so the edit is not sent a second time before the deletion.
    @Test func aDeletionReplacesAnotherAuthorsEditOfUnknownOutcome() async throws {
        try await store.update("known", ["n": .increment(1)])
        let sent = try await store.push("known", .unknown(reason: "time-out"))
        let row = RemoteRecord.make("known", ["n": 7], updatedMs: 9000)
        try await own.settle([(sent, .conflict(.wasThisApplied, remote: row))])
        _ = try await Self.write(.delete(className: "Holiday", objectId: "known"), as: Self.other, in: store)
        #expect(try await ids(own) == [])
        #expect(try await others.outbox(limit: 10).map(\.step.kind) == [.delete])
        #expect(try store.conflicts(resolved: false).isEmpty)
        #expect(try store.conflicts(resolved: true).map(\.kind) == [.wasThisApplied])
    }

    @Test func aDecisionActsAsTheAuthorOfTheConflict() async throws {
        try await update("known", ["n": 2])
        _ = try await own.apply([], gone: ["known"], of: "Holiday")
        let conflict = try #require(try store.conflicts(resolved: false).first)
        #expect(try keys("SELECT identity FROM conflicts") == [2])
        try await store.resolveConflict(conflict.id, keep: "local", fields: nil)
        #expect(try await ids(own) == [])
        #expect(try await others.outbox(limit: 10).map(\.step.kind) == [.create])
    }

    @Test func aCandidateForALostCreateThatOneAuthorRejectsStaysOneForOthers() async throws {
        let id = try await create(["n": 2])
        let entry = try await others.freeze(id)
        let row = RemoteRecord.make("theirs", ["n": 2])
        try await others.settle([(entry, .conflict(.ambiguousCreate, remote: row))])
        let conflict = try #require(try store.conflicts(resolved: false).first)
        try await store.resolveConflict(conflict.id, keep: "sendAgain", fields: nil)
        #expect(try await others.standing(of: ["theirs"], for: entry).refused == ["theirs"])
        let mine = try await store.create(["n": 2])
        let foreign = try #require(try await own.outbox(limit: 10).first { $0.objectId == mine })
        #expect(try await own.standing(of: ["theirs"], for: foreign).refused == [])
    }

    @Test func aRetriedChangeKeepsItsAuthor() async throws {
        try await update("known", ["n": 2])
        try await others.settle([(try await others.freeze("known"), .rejected(code: 111, message: "no"))])
        let rejection = try #require(try store.rejections().first)
        try await store.retryRejection(rejection.id, fields: ["n": 3])
        #expect(try await ids(own) == [])
        #expect(try await ids(others) == ["known"])
    }

    // MARK: Pulls

    @Test func eachAuthorHasItsOwnPullsAndCursors() async throws {
        try await store.registerClass("Holiday")
        #expect(try await state(others) == nil)
        try await store.transactions.write(of: Self.other) {
            try PullTable(db: $0.db, author: $0.author).insert(.all, of: "Holiday")
        }
        let all = PullId(className: "Holiday", name: "all")
        _ = try await own.apply([], of: all, cursor: PullCursor(text: "c1"), began: Self.earlier, isLast: true)
        #expect(try await state(own)?.cursor?.text == "c1")
        #expect(try await state(others) == PullState(pull: .all))
        try await others.setRefusal("no", of: all, hidesObjects: true)
        try await others.setAudited(all, at: LocalStore.serverTime)
        #expect(try await state(own)?.refusal == nil)
        #expect(try await state(own)?.auditedAt == Self.earlier)
        #expect(try await state(others)?.auditedAt == LocalStore.serverTime)
        try await own.pullAnew("Holiday")
        _ = try await others.apply([], of: all, cursor: PullCursor(text: "c2"), began: Self.earlier, isLast: true)
        try await own.pullAnew("Holiday")
        #expect(try await state(own)?.cursor == nil)
        #expect(try await state(others)?.cursor?.text == "c2")
        try await store.unregisterClass("Holiday", purge: false)
        #expect(try keys("SELECT identity FROM pulls") == [])
    }

    @Test func anObjectIsKeptWhileAPullOfAnyAuthorContainsIt() async throws {
        try await pullParts()
        for sync in [own, others] {
            _ = try await sync.apply([member("a")], of: Self.part, cursor: nil, began: Self.earlier, isLast: true)
        }
        _ = try await others.apply([member("b")], of: Self.part, cursor: nil, began: Self.earlier, isLast: true)
        #expect(try await own.baseIds(of: Self.part, created: .all).seen == ["a"])
        #expect(try await others.baseIds(of: Self.part, created: .all).seen == ["a", "b"])
        #expect(try await own.pulledCount(of: "Holiday") == 1)
        #expect(try await others.baseCount(of: Self.part) == 2)
        try await own.leave(["a"], Self.part)
        _ = try await own.evictStrays(of: "Holiday", besides: [])
        #expect(try store.ids() == ["a", "b"])
        try await others.leave(["a"], Self.part)
        _ = try await own.evictStrays(of: "Holiday", besides: [])
        #expect(try store.ids() == ["b"])
    }

    /// No pull shows the deletion of such an object, so a sync reads it by id.
    @Test func aStrayWithAPendingChangeOrAHeldRemovalIsKept() async throws {
        try await pullParts()
        let rows = ["a", "b", "c"].map { member($0) }
        _ = try await own.apply(rows, of: Self.part, cursor: nil, began: Self.earlier, isLast: true)
        try await store.write(.update(className: "Holiday", objectId: "a", body: ["n": 2]))
        #expect(try await own.keptStrays(of: "Holiday") == [])
        try await own.leave(["a", "b", "c"], Self.part)
        try await own.holdRemoval(of: ["b"], in: "Holiday", total: 3)
        #expect(try await own.keptStrays(of: "Holiday") == ["a", "b"])
        _ = try await own.evictStrays(of: "Holiday", besides: [])
        #expect(try store.ids() == ["a", "b"])
    }

    @Test func aSkippedRowIsRecordedForThePullOfOneAuthor() async throws {
        try await pullParts()
        let row = SkippedRow(className: "Holiday", objectId: "big", updatedAt: Self.earlier, reason: "too large")
        for sync in [own, others] { try await sync.noteSkipped(row, of: Self.part) }
        _ = try await own.apply([member("big")], of: Self.part, cursor: nil, began: Self.earlier, isLast: true)
        #expect(try await own.skippedIds(of: Self.part).all == [])
        #expect(try await others.skippedIds(of: Self.part).all == ["big"])
        #expect(try await store.figures().classes.first { $0.name == "Holiday" }?.skipped == [row])
    }

    @Test func eachAuthorsSyncReadsTheRelationsOfTheRowsThatItPulls() async throws {
        try await pullParts()
        let row = RemoteRecord.make("a", ["n": 1, "countries": .relation])
        for sync in [own, others] {
            _ = try await sync.apply([.upsert(row)], of: Self.part, cursor: nil, began: Self.earlier, isLast: true)
        }
        // The second author pulled an unchanged row. Only a changed row shows this author that the members may have
        // changed.
        let later = RemoteRecord.make("a", ["n": 1, "countries": .relation, "m": 1], updatedMs: 3000)
        _ = try await others.apply([.upsert(later)], of: Self.part, cursor: nil, began: Self.earlier, isLast: true)
        for sync in [own, others] {
            let waiting = try await sync.relationsToPull(of: nil, limit: 9, before: .distant)
            #expect(waiting.map(\.owner.objectId) == ["a"])
            try await sync.postponeRelations(waiting, at: LocalStore.serverTime)
            #expect(try await sync.waitingRelations(before: LocalStore.serverTime).isEmpty)
        }
        #expect(try await own.relationsToPull(of: nil, limit: 9, before: .distant).count == 1)
    }

    // MARK: Unseen writes

    /// The record of an older row begins the search, and does not change a search that has begun.
    @Test func anOlderRowStartsTheSearchForARestoredBackup() async throws {
        try await update("known", ["n": 2])
        try await others.settle([(try await others.freeze("known"), .applied("known", createdMs: 3000))])
        #expect(try await others.unseenWrites(of: "Holiday", max: 9).isEmpty)
        try await others.noteOlderRows(of: ["known"], of: "Holiday", at: Self.earlier)
        #expect(try await others.classesWithUnseenWrites() == ["Holiday"])
        #expect(try await others.unseenWrites(of: "Holiday", max: 9).map(\.looks) == [0])
        try await others.noteLooks(at: ["known"], of: "Holiday", at: Self.earlier)
        try await others.noteOlderRows(of: ["known"], of: "Holiday", at: LocalStore.serverTime)
        #expect(try await others.unseenWrites(of: "Holiday", max: 9).map(\.looks) == [1])
    }

    @Test func acknowledgedWritesThatNoPullHasShownAreReadByTheSendingAuthor() async throws {
        let id = try await create(["n": 2])
        try await others.settle([(try await others.freeze(id), .applied(id, createdMs: 3000))])
        #expect(try keys("SELECT provisional_as FROM objects WHERE id = '\(id)'") == [2])
        #expect(try await own.provisionalIds(of: "Holiday") == [])
        #expect(try await others.provisionalIds(of: "Holiday") == [id])
        #expect(try await own.classesWithUnseenWrites() == [])
        #expect(try await others.unseenWrites(of: "Holiday", max: 9).map(\.objectId) == [id])
        try await others.noteLooks(at: [id], of: "Holiday", at: Self.earlier)
        #expect(try await own.classesWithUnseenWrites() == [])
        #expect(try await others.unseenWrites(of: "Holiday", max: 9).map(\.looks) == [1])
        try await own.hide([id], of: "Holiday")
        #expect(try await others.baseIds(of: "Holiday").hidden == [id])
        #expect(try await others.provisionalIds(of: "Holiday") == [id])
        try await others.hide([id], of: "Holiday")
        #expect(try await others.provisionalIds(of: "Holiday") == [])
        _ = try await own.apply([.make(id, ["n": 2])], gone: [], of: "Holiday")
        #expect(try keys("SELECT provisional_as FROM objects WHERE id = '\(id)'") == [0])
    }
}
