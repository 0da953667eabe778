import GRDB
import ParseModel
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import LocalStore

/// Migrates a database of the version before changes had authors. Afterwards the gateway is the author of everything.
@Suite("Migration of a database without authors")
struct AuthorMigrationTests {
    private static let versionBefore = 19
    private static let part = PullId(className: "Country", name: "part")

    private static func view(_ id: String) -> String {
        """
        {"objectId":"\(id)","createdAt":"1970-01-01T00:00:01.000Z","updatedAt":"1970-01-01T00:00:02.000Z","n":1}
        """
    }

    /// `mine`: a pending create. `sent`: a change in flight. `held`: a change in an open conflict. `unshown`: an
    /// acknowledged create. `ours`: an acknowledged edit.
    private static let rows = """
        INSERT INTO classes (name, options) VALUES ('Holiday', '{}'), ('Country', '{}');
        INSERT INTO objects (class, id, view, created_at, updated_at, base_kind, base, is_provisional, state, is_ours) VALUES
            ('Holiday', 'known', '\(view("known"))', 1000, 2000, 1, NULL, 0, 0, 0),
            ('Holiday', 'mine', '{"objectId":"mine","createdAt":"1970-01-01T00:00:03.000Z","updatedAt":"1970-01-01T00:00:03.000Z","n":7}',
                3000, 3000, 0, NULL, 0, 1, 0),
            ('Holiday', 'sent', '{"objectId":"sent","createdAt":"1970-01-01T00:00:01.000Z","updatedAt":"1970-01-01T00:00:03.000Z","n":2}',
                1000, 3000, 2, '\(view("sent"))', 0, 2, 0),
            ('Holiday', 'held', '{"objectId":"held","createdAt":"1970-01-01T00:00:01.000Z","updatedAt":"1970-01-01T00:00:03.000Z","n":2}',
                1000, 3000, 2, '\(view("held"))', 0, 4, 0),
            ('Holiday', 'unshown', '\(view("unshown"))', 1000, 2000, 1, NULL, 2, 0, 1),
            ('Holiday', 'ours', '\(view("ours"))', 1000, 2000, 1, NULL, 1, 0, 1),
            ('Country', 'a', '\(view("a"))', 1000, 2000, 1, NULL, 0, 0, 0);
        INSERT INTO class_counts VALUES ('Holiday', 5, 6), ('Country', 1, 1);
        INSERT INTO outbox (seq, class, id, kind, operations, phase, made_at, edited_at, was_attempted, attempts, request_id) VALUES
            (1, 'Holiday', 'mine', 'create', '{"n":7}', 'pending', 3000, 3000, 0, 0, 'r1'),
            (2, 'Holiday', 'sent', 'update', '{"n":2}', 'inFlight', 3000, 3000, 1, 1, 'r2'),
            (3, 'Holiday', 'held', 'update', '{"n":2}', 'held', 3000, 3000, 0, 0, 'r3');
        INSERT INTO conflicts (class, object_id, kind, fields, base, remote, found_at)
            VALUES ('Holiday', 'held', 'fields', '["n"]', '\(view("held"))', '\(view("held"))', 4000);
        INSERT INTO pulls (class, name, conditions, cursor, complete_since, audited_at, refusal, recently_audited_at) VALUES
            ('Holiday', 'all', '{}', 'c1', 5000, 6000, NULL, 7000), ('Country', 'part', '{"n":1}', 'c2', NULL, NULL, 'no', NULL);
        INSERT INTO pull_members VALUES ('Country', 'part', 'a');
        INSERT INTO skipped_rows VALUES ('Country', 'part', 'big', 5000, 'too large');
        INSERT INTO relation_pulls VALUES ('Holiday', 'known', 'countries', 'Country', 2000, NULL);
        INSERT INTO unanswered VALUES ('Holiday', 'mine', 4000);
        INSERT INTO unseen_writes VALUES ('Holiday', 'unshown', 4000, 2);
        """

    private let store: LocalStore
    private var sync: any SyncStore { store.sync(as: .gateway) }

    init() throws {
        let directory = try TemporaryDirectory()
        try Self.makeFile(in: directory)
        store = try LocalStore.make(.replica, in: directory)
    }

    private static func makeFile(in directory: TemporaryDirectory) throws {
        let data = try DataDirectory(path: directory.path)
        try data.makeDatabaseFile()
        try DatabaseQueue(path: data.databasePath).writeWithoutTransaction { db in
            try Migrations.run(in: db, through: versionBefore)
            _ = try StoreIdentity.replica.claim(db, in: data, takesOver: false, environment: TestClock().environment)
            try db.execute(sql: rows)
        }
    }

    private func pull(of className: String) async throws -> PullState? {
        try await sync.syncClasses().first { $0.name == className }?.pulls.first
    }

    @Test func theMigrationMakesTheGatewayTheAuthorOfEveryRow() throws {
        let tables = [
            "outbox": 3, "conflicts": 1, "pulls": 2, "pull_members": 1, "skipped_rows": 1, "relation_pulls": 1,
            "unanswered": 1, "unseen_writes": 1,
        ]
        for (table, count) in tables {
            let rows = try store.transactions.read { try $0.rows("SELECT identity FROM \(table)") { $0.integer(0) } }
            #expect(rows == Array(repeating: 1, count: count), "\(table)")
        }
        let authors = try store.transactions.read {
            try $0.rows("SELECT key, name FROM identities") { "\($0.integer(0)) \($0.text(1))" }
        }
        #expect(authors == ["1 gateway"])
        let provisional = try store.transactions.read {
            try $0.texts("SELECT id FROM objects WHERE provisional_as = 1 ORDER BY id")
        }
        #expect(provisional == ["ours", "unshown"])
        #expect(try store.transactions.read { try $0.texts("PRAGMA foreign_key_check") } == [])
        #expect(try store.transactions.read { try $0.texts("PRAGMA integrity_check") } == ["ok"])
    }

    @Test func theMigrationToAuthorsKeepsTheStatesOfPulls() async throws {
        let holidays = try #require(try await pull(of: "Holiday"))
        #expect(
            holidays
                == PullState(
                    pull: .all, cursor: PullCursor(text: "c1"), completeSince: ParseDate(milliseconds: 5000),
                    auditedAt: ParseDate(milliseconds: 6000), recentlyAuditedAt: ParseDate(milliseconds: 7000)))
        let countries = try #require(try await pull(of: "Country"))
        #expect(countries.pull == NamedPull(name: "part", conditions: ["n": 1]))
        #expect(countries.cursor?.text == "c2")
        #expect(countries.refusal == "no")
        #expect(try await sync.baseIds(of: Self.part, created: .all).seen == ["a"])
        #expect(try await sync.skippedIds(of: Self.part).all == ["big"])
        #expect(try await sync.relationsToPull(of: nil, limit: 9, before: .distant).map(\.owner.objectId) == ["known"])
    }

    @Test func theMigrationToAuthorsKeepsPendingChangesAndObjects() async throws {
        #expect(try store.ids() == ["known", "mine", "sent", "held", "unshown", "ours"])
        #expect(try store.steps(of: "mine") == [#"create {"n":7}"#])
        let waiting = try #require(try await sync.outbox(limit: 9).first)
        #expect(waiting.objectId == "mine")
        #expect(waiting.unansweredAt == ParseDate(milliseconds: 4000))
        #expect(waiting.step.author == .gateway)
        // The request was under way when the earlier program ended.
        #expect(try await sync.unknownOutcomes().map(\.objectId) == ["sent"])
        #expect(try store.conflicts(resolved: false).map(\.objectId) == ["held"])
        #expect(try await sync.provisionalIds(of: "Holiday") == ["unshown", "ours"])
        #expect(try await sync.unseenWrites(of: "Holiday", max: 9).map(\.looks) == [2])
        #expect(try store.invariantViolations() == [])
    }

    /// Makes the calls of a sync to the store, one after the other.
    @Test func aSyncContinuesAfterTheMigrationToAuthors() async throws {
        let sent = try #require(try await sync.unknownOutcomes().first)
        let rows = ["known", "sent", "unshown", "ours"].map { RemoteRecord.make($0, ["n": 2], updatedMs: 9000) }
        try await sync.settle([(sent, .proven(rows[1]))])
        try await store.push("mine", .applied("remote", createdMs: 8000))
        let page =
            rows.map(RemoteChange.upsert) + [.upsert(.make("remote", ["n": 7], createdMs: 8000, updatedMs: 8000))]
        let all = PullId(className: "Holiday", name: "all")
        _ = try await sync.apply(
            page, of: all, cursor: PullCursor(text: "c3"), began: ParseDate(milliseconds: 9500), isLast: true)
        let conflict = try #require(try store.conflicts(resolved: false).first)
        try await store.resolveConflict(conflict.id, keep: "local", fields: nil)
        try await store.push("held", .applied("held", updatedMs: 9900))
        #expect(try await pull(of: "Holiday")?.cursor?.text == "c3")
        #expect(try await sync.provisionalIds(of: "Holiday") == ["held"])
        #expect(try store.fields("unshown") == ["n": 2])
        #expect(try await store.figures().pending == 0)
        #expect(try store.invariantViolations() == [])
        try await store.unregisterClass("Country", purge: true)
        #expect(try await sync.syncClasses().map(\.name) == ["Holiday"])
    }
}
