import HTTPClient
import ParseModel
import RemoteService
import SyncModel
import Testing

@testable import ParseRemote

/// Tests with recorded answers of a real Parse Server, and their expected classification.
@Suite struct RecordedAnswerTests {
    @Test func everyRecordedAnswerIsTested() { #expect(Recording.parseServer.count == 105) }

    @Test(arguments: [
        ("wrong application id", "unauthorized"), ("no keys", "unauthorized"),
        ("bad session token", "unauthorized"), ("schemas without master", "unauthorized"),
        ("where equal", "fine"), ("where date gte", "fine"), ("delta page", "fine"),
        ("list of an unknown class", "fine"),
        ("where unknown operator", "refused 119"), ("where unknown top-level operator", "refused 105"),
        ("where bad or", "faulty 500"), ("where bad regex", "faulty 500"), ("where is not JSON", "faulty 500"),
        ("limit not a number", "faulty 500"), ("unknown route", "misaddressed 404"), ("get missing", "refused 101"),
        ("health", "faulty 200"), ("schema of an unknown class", "refused 103"), ("get it", "faulty 200"),
        ("batch of GETs", "faulty 200"), ("download a missing file", "misaddressed 404"),
    ])
    func theRecordedAnswerToAPageIsRead(name: String, expected: String) async throws {
        let remote = ParseRemote.make(ScriptedTransport(try Recording.named(name).response))
        #expect(
            await word { () async throws(RemoteError) in
                _ = try await remote.pull([PullRequest(className: "Birthday", cursor: nil)])
            } == expected)
    }

    @Test(arguments: [
        ("create with every type", "applied"), ("create a target", "applied"), ("empty body", "applied"),
        ("type mismatch on create", "refused 111"), ("client chosen objectId", "refused 105"),
        ("createdAt as a string", "refused 111"), ("bad class name", "refused 107 for now"),
        ("bad field name", "refused 105"),
        ("nested key with a dollar", "refused 121"), ("invalid JSON", "unknown"), ("array as a body", "refused 105"),
        ("create with a request id", "applied"), ("the same request id again", "unknown"),
        ("wrong application id", "unauthorized"), ("bad session token", "unauthorized"), ("unknown route", "retry"),
        ("update missing", "refused 101"), ("sign up again", "refused 202"), ("delete", "unknown"),
        ("update with nothing", "unknown"),
    ])
    func theRecordedAnswerToACreateIsRead(name: String, expected: String) async throws {
        #expect(try await outcome(of: .create, name) == expected)
    }

    @Test(arguments: [
        ("update plain fields", "unknown"), ("update with nothing", "applied"), ("update missing", "gone"),
        ("increment", "applied"), ("Add", "applied"), ("AddUnique", "applied"), ("Remove", "applied"),
        ("Delete a field", "applied"), ("pointer to it", "applied"), ("object with a file", "applied"),
        ("Increment on a string", "refused 111"), ("type mismatch on update", "refused 111"),
        ("update a read-only object", "gone"), ("no keys", "unauthorized"), ("bad session token", "unauthorized"),
        ("PUT without an id", "retry"), ("the same request id again", "unknown"), ("create a target", "unknown"),
    ])
    func theRecordedAnswerToAnUpdateIsRead(name: String, expected: String) async throws {
        #expect(try await outcome(of: .update, name) == expected)
    }

    @Test(arguments: [
        ("delete", "applied"), ("delete again", "gone"), ("no keys", "unauthorized"), ("unknown route", "retry"),
        ("where bad or", "unknown"),
    ])
    func theRecordedAnswerToADeletionIsRead(name: String, expected: String) async throws {
        #expect(try await outcome(of: .delete, name) == expected)
    }

    private func outcome(of kind: PushOperation.Kind, _ name: String) async throws -> String {
        let transport = ScriptedTransport(try Recording.named(name).response)
        return await ParseRemote.make(transport).push([.make(kind)])[0].word
    }

    @Test(arguments: [
        ("batch of three kinds", ["applied", "applied", "applied"]),
        ("batch with an unroutable item", ["unknown", "unknown", "unknown"]),
        ("batch without requests", ["unknown", "unknown", "unknown"]),
        ("batch in a transaction that fails", ["unknown", "unknown", "unknown"]),
        ("empty batch", ["unknown", "unknown", "unknown"]),
        ("bad session token", ["unauthorized", "unauthorized", "unauthorized"]),
        ("wrong application id", ["unauthorized", "unauthorized", "unauthorized"]),
        ("unknown route", ["retry", "retry", "retry"]),
        ("batch with errors inside", ["unknown", "unknown", "unknown"]),
    ])
    func theRecordedAnswerToABatchIsRead(name: String, expected: [String]) async throws {
        let transport = ScriptedTransport(try Recording.named(name).response)
        let outcomes = await ParseRemote.make(transport).push([
            .make(.create, "local00001"), .make(.update, "o04B7fViSq"), .make(.delete, "6o65qDNfAR"),
        ])
        #expect(outcomes.map(\.word) == expected)
    }

    @Test func anErrorInABatchAffectsOnlyItsItem() async throws {
        let transport = ScriptedTransport(try Recording.named("batch with errors inside").response)
        let outcomes = await ParseRemote.make(transport).push([
            .make(.create, "local00001"), .make(.update, "nope"), .make(.delete, "nope2"), .make(.create, "local00002"),
        ])
        #expect(
            outcomes == [
                .refused(code: 111, message: "schema mismatch for Birthday.n; expected Number but got String"),
                .gone(), .gone(),
                .applied(
                    Acknowledgement(
                        objectId: "FKe3ItSJ2Z", createdAt: ParseDate(iso: "2026-11-21T01:29:11.730Z"),
                        updatedAt: ParseDate(iso: "2026-11-21T01:29:11.730Z"), echoed: [:])),
            ])
    }

    @Test func acknowledgementOfAnIncrementContainsItsResult() async throws {
        let transport = ScriptedTransport(try Recording.named("increment").response)
        let outcomes = await ParseRemote.make(transport).push([.make(.update)])
        #expect(
            outcomes == [
                .applied(
                    Acknowledgement(
                        objectId: "xqMK7l1wCE", createdAt: nil, updatedAt: ParseDate(iso: "2026-11-21T01:29:11.552Z"),
                        echoed: ["n": 8]))
            ])
    }

    @Test func theRecordedDeltaPageIsReadCompletely() async throws {
        let transport = ScriptedTransport(try Recording.named("delta page").response)
        let pages = try await ParseRemote.make(transport, pageSize: 3)
            .pull([PullRequest(className: "Birthday", cursor: nil)])
        let page = try #require(pages.first)
        #expect(page.changes.count == 3 && !page.isLast && page.count == nil)
        #expect(page.serverTime == ParseDate(iso: "2026-11-21T01:29:11Z"))
        let last = ParseDate(iso: "2026-11-21T01:29:11.640Z")!
        #expect(page.cursor == KeysetPosition.after(last, objectId: "qWSHXNewyw").cursor)
        guard case .upsert(let record) = page.changes[0] else { throw NoUpsert() }
        #expect(record.className == "Birthday" && record.objectId == "o04B7fViSq")
        #expect(record.fields.keys == ["name", "date", "n"])
        #expect(record.createdAt == ParseDate(iso: "2026-11-21T01:29:11.629Z") && record.version == nil)
    }

    private struct NoUpsert: Error {}

    @Test func theRecordedListOfIdsIsReadWithoutUpdateTimes() async throws {
        let transport = ScriptedTransport(try Recording.named("keys objectId").response)
        let page = try await ParseRemote.make(transport).objectIds(
            of: PullQuery(className: "Birthday"), created: .all, after: nil)
        #expect(
            page.stamps.map(\.objectId).first == "6o65qDNfAR" && page.stamps.map(\.objectId).count == 7 && !page.isLast)
    }

    @Test func chosenIdSupportIsDerivedFromTheErrorCode() async throws {
        let verdicts = try ["client chosen objectId", "createdAt as a string"].map { try Recording.named($0).response }
        let transport = ScriptedTransport(verdicts.map { .success($0) })
        let remote = ParseRemote.make(transport)
        #expect(try await remote.acceptsChosenIds(in: "Holiday") == false)
        #expect(try await remote.acceptsChosenIds(in: "Holiday") == true)
    }

    /// A missing field of a role has the same code as a wrong date.
    @Test func anErrorAboutAMissingFieldSaysNothingAboutChosenIds() async throws {
        let transport = ScriptedTransport([.success(.make(400, ["code": 111, "error": "name is required."]))])
        await #expect(throws: RemoteError.self) {
            _ = try await ParseRemote.make(transport).acceptsChosenIds(in: "_Role")
        }
    }
}
