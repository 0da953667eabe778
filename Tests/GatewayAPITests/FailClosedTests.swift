import HTTPServer
import Logging
import ParseModel
import StoreService
import Testing

@testable import GatewayAPI

/// If the gateway cannot complete an answer, it sends an error and no part of the answer.
@Suite struct FailClosedTests {
    private static let broken = StoredObject(
        objectId: "a", json: Array(#"{"objectId":"a","email":"ada@example.org","#.utf8), state: .synced)

    private func text(of className: String, for principal: Principal) throws -> ObjectText {
        let store = MemoryStore()
        var query = ParseQuery()
        query.excludedKeys = ["email"]
        return ObjectText(
            query.selection, of: className, sync: nil,
            included: IncludedObjects(
                store: store, principal: principal, coverage: .everything, bytesMax: 1000, checkPulled: { _ in }))
    }

    @Test func damagedObjectIsNotSentWithItsProtectedFields() throws {
        let damaged = StoreError.damaged(className: "_User", objectId: "a")
        #expect(throws: damaged) { try Self.broken.shown(by: AccessRules(.public, ClassRights("_User"))) }
        let text = try text(of: "_User", for: .public)
        #expect(throws: damaged) { try text.object(Self.broken) }
        var list = ObjectText.List(text, objectsMax: 100)
        #expect(throws: damaged) { try list.append(Self.broken) }
        #expect(!String(decoding: list.whole(count: nil), as: UTF8.self).contains("ada"))
        let answer = ErrorAnswer(damaged)
        #expect(answer.status == .internalServerError)
        #expect(answer.belongsInLog)
    }

    @Test func refusalOfAStaleWriteOmitsADamagedObject() throws {
        let writes = ObjectWrites(store: MemoryStore(), accounts: nil)
        let error = writes.refusal(StoreError.stale(Self.broken), of: "_User", to: .public)
        #expect(ErrorAnswer(error).body["object"] == nil)
        #expect(!ErrorAnswer(error).body.jsonText.contains("ada"))
    }

    /// In a conflict, a null state means that the object is deleted. A user might decide on the basis of a wrong null.
    @Test func conflictWithDamagedStateIsAnsweredWithAnError() {
        let conflict = ListedConflict(
            id: 1, className: "Film", objectId: "a", kind: .fields, fields: ["n"], base: nil, local: nil, remote: "{",
            candidates: [], operations: nil, foundAt: ParseDate(milliseconds: 0), resolution: nil, resolvedAt: nil)
        #expect(throws: StoreError.damaged(className: "Film", objectId: "a")) { try conflict.json() }
    }

    @Test func failureToAddFileURLsIsAnsweredWithAnErrorAndLogged() async {
        let log = LogLines()
        let store = MemoryStore()
        let file: JSONValue = ["__type": "File", "name": "a.png"]
        store.state.withLock { $0.objects["Holiday"] = [("a", ["picture": file])] }
        let gateway = Gateway.make(store: store, log: log)
        #expect(await gateway.send("GET /classes/Holiday/a").status == 200)
        #expect(log.lines == [])
        store.fileFailure.withLock { $0 = .database(operation: "files", reason: "disk I/O error (SQLite 10)") }
        for line in ["GET /classes/Holiday/a", "GET /classes/Holiday"] {
            expect(await gateway.send(line), 500, #"{"code":1,"error":"An internal server error occurred"}"#)
        }
        #expect(log.lines == ["request failed", "request failed"])
    }
}
