import ParseModel
import StoreService
import Testing

@Suite struct ChangesRouteTests {
    private let gateway = Gateway.make()

    @Test func listedChangeContainsTheCurrentObject() async {
        gateway.store.state.withLock {
            $0.changes = [
                ChangeEntry(number: 4, className: "Holiday", objectId: "a", kind: .update, json: #"{"objectId":"a"}"#),
                ChangeEntry(number: 6, className: "Holiday", objectId: "b", kind: .delete, json: nil),
            ]
        }
        let update =
            #"{"number":4,"className":"Holiday","objectId":"a","kind":"update","object":{"objectId":"a"}}"#
        let delete = #"{"number":6,"className":"Holiday","objectId":"b","kind":"delete"}"#
        expect(await gateway.send("GET /changes"), 200, #"{"results":[\#(update),\#(delete)],"next":6}"#)
        expect(await gateway.send("GET /changes?since=4"), 200, #"{"results":[\#(delete)],"next":6}"#)
        expect(await gateway.send("GET /changes?since=6"), 200, #"{"results":[],"next":6}"#)
        expect(await gateway.send("GET /changes?since=latest"), 200, #"{"results":[],"next":6}"#)
        expect(await gateway.send("GET /changes?kinds=delete"), 200, #"{"results":[\#(delete)],"next":6}"#)
        let others = await gateway.send("GET /changes?kinds=create,update&since=2")
        expect(others, 200, #"{"results":[\#(update)],"next":6}"#)
        #expect(await gateway.send("GET /changes").isAtHand)
    }

    @Test func changeListParametersReachTheStoreAndTheLimitIsCapped() async {
        for query in ["", "?since=7&limit=3&classes=A,B", "?limit=99999&classes="] {
            _ = await gateway.send("GET /changes\(query)")
        }
        let asked = gateway.store.state.withLock { $0.changeRequests }
        #expect(asked.map(\.since) == [0, 7, 0])
        #expect(asked.map(\.classes) == [nil, ["A", "B"], nil])
        #expect(asked.map(\.limit) == [100, 3, 100])
    }

    @Test func longChangeListIsReadInPagesAndEndsAtTheSizeLimit() async throws {
        gateway.store.change(count: 5000)
        let list = try await gateway.send("GET /changes?limit=1000&since=6").json.object
        #expect(list?["results"]?.array?.count == 1000)
        #expect(list?["next"] == 1006)
        #expect(gateway.store.state.withLock { $0.changeRequests.map(\.limit).max() } == 100)
        gateway.store.state.withLock { state in
            for place in state.changes.indices { state.changes[place] = state.changes[place].enlarged(to: 1 << 17) }
        }
        let large = try await gateway.send("GET /changes?limit=1000&since=6").json.object
        #expect(large?["results"]?.array?.count == 200)
        #expect(large?["next"] == 206)
    }

    @Test(arguments: [
        "kinds=deleted", "kinds=delete,x", "since=-1", "since=x", "since=1.5", "since=99999999999999999999", "limit=0",
        "limit=x",
    ])
    func invalidParametersOfChangeListAreAnsweredWith400(_ query: String) async throws {
        let answer = await gateway.send("GET /changes?\(query)")
        #expect(answer.status == 400)
        #expect(try answer.json.object?["code"] == 102)
    }

    @Test func positionOlderThanTheChangeFeedIsAnsweredWith410() async throws {
        gateway.store.state.withLock { $0.failure = StoreError.feedTrimmed(oldest: 57, newest: 60) }
        let answer = await gateway.send("GET /changes?since=3")
        #expect(answer.status == 410)
        #expect(try answer.json.object?["oldest"] == 57)
        #expect(try answer.json.object?["error"]?.string?.contains("the changes 57 to 60.") == true)
    }

    @Test func positionBeforeAnEmptyChangeFeedIsAnsweredWith410() async throws {
        gateway.store.state.withLock { $0.failure = StoreError.feedTrimmed(oldest: 61, newest: 60) }
        let answer = await gateway.send("GET /changes?since=3")
        #expect(answer.status == 410)
        #expect(try answer.json.object?["error"]?.string?.contains("starts after the change 60.") == true)
    }
}
