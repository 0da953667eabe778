import ParseModel
import StoreService
import SyncModel
import Testing

@testable import SyncEngine

@Suite("Queries whose changes the remote reports")
struct ListenedQueriesTests {
    private static func conditions(_ pulls: String...) throws -> [JSONObject] {
        let states = try pulls.enumerated().map { number, text in
            PullState(pull: NamedPull(name: "\(number)", conditions: try JSONReader.read(text).object ?? [:]))
        }
        return ListenedQueries.of([SyncClass(name: "Holiday", pulls: states)]).map(\.conditions)
    }

    @Test func onlyTheIdsOfPulledClassesAreAskedFor() {
        let classes = [
            SyncClass(name: "Holiday", pulls: [PullState(pull: .all)]),
            SyncClass(name: "Birthday", pulls: [PullState(pull: .all)]),
            SyncClass(name: "SentOnly", pulls: []),
            SyncClass(name: "Stopped", pulls: [PullState(pull: .all)], stoppedBecause: "the disk is full"),
        ]
        #expect(
            ListenedQueries.of(classes) == [
                PullQuery(className: "Birthday", keys: ["objectId"]),
                PullQuery(className: "Holiday", keys: ["objectId"]),
            ])
    }

    @Test func simpleConditionsAreKept() throws {
        let recent = #"{"date":{"$gte":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}}}"#
        let own = #"{"$or":[{"owner":{"__type":"Pointer","className":"_User","objectId":"u"}},{"shared":true}]}"#
        let expected = try [recent, own].map { try JSONReader.read($0).object }
        #expect(try Self.conditions(recent, own, recent) == expected)
    }

    @Test(arguments: [
        #"{}"#, #"{"a":null}"#, #"{"a":{"$inQuery":{"className":"B","where":{}}}}"#, #"{"a.b":1}"#,
        #"{"a":{"$regex":"^x"}}"#, #"{"$or":[{"a":1},{"b":{"$nearSphere":[0,0]}}]}"#,
        #"{"a":{"$gt":{"$relativeTime":"1 day ago"}}}"#,
    ])
    func otherConditionsAreReplacedByNone(text: String) throws {
        #expect(try Self.conditions(text) == [[:]])
        #expect(try Self.conditions(#"{"a":1}"#, text) == [[:]])
    }
}
