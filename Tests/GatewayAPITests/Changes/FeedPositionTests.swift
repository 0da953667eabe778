import ParseModel
import StoreService
import Testing

@testable import GatewayAPI

/// A position in the change feed names the database to which it belongs, so that another database refuses it.
@Suite struct FeedPositionTests {
    private let positions = FeedPositions(ofStore: "one")

    private func since(_ text: String, _ positions: FeedPositions) throws -> Int64? {
        try positions.since(["since": .string(text)])
    }

    @Test func changeFeedPositionIsRefusedByAnotherFeed() throws {
        let other = FeedPositions(ofStore: "two")
        let own = FeedPositions(ofStore: nil)
        #expect(positions.text(42).hasSuffix("-42") && positions.text(42).count == 15)
        #expect(own.text(42) == "42" && own.jsonText(42) == "42")
        #expect(positions.jsonText(42) == "\"\(positions.text(42))\"")
        #expect(try since(positions.text(42), positions) == 42)
        #expect(try since("42", own) == 42)
        for feed in [other, own] {
            #expect(throws: APIError.foreignPosition) { try since(positions.text(42), feed) }
        }
        #expect(throws: APIError.foreignPosition) { try since("42", positions) }
    }

    @Test func zeroAndLatestAreValidPositionsOfEveryChangeFeed() throws {
        for feed in [positions, FeedPositions(ofStore: nil)] {
            #expect(try since("latest", feed) == nil)
            #expect(try since("0", feed) == 0)
            #expect(try feed.since([:]) == 0)
        }
    }

    @Test(arguments: ["x", "-1", "1-2", "9f86d081884c-", "9f86d081884c-x", "9f86d081884c-1-2", "9F86D081884C-1"])
    func invalidChangeFeedPositionsAreRefused(text: String) {
        for feed in [positions, FeedPositions(ofStore: nil)] {
            #expect(throws: ParseError.self) { try since(text, feed) }
        }
    }

    // MARK: Requests

    private let session = ["X-Parse-Session-Token": FakeSpaces.token]

    private func world(_ storeId: String) -> (spaces: FakeSpaces, gateway: Gateway) {
        let spaces = FakeSpaces(storeId: storeId)
        spaces.store?.change(count: 10)
        return (spaces, Gateway.make(sync: FakeSync(), users: .spaces(spaces)))
    }

    @Test func changeFeedPositionOfAUserIsValidForThatUsersDataOnly() async throws {
        let (_, gateway) = world("one")
        let first = try await gateway.send("GET /changes?limit=6", session).json.object
        #expect(first?["next"] == .string(positions.text(6)))
        let rest = try await gateway.send("GET /changes?since=\(positions.text(6))", session).json.object
        #expect(rest?["results"]?.array?.count == 4 && rest?["next"] == .string(positions.text(10)))
        let (_, anew) = world("two")
        for (gateway, query, headers) in [
            (anew, positions.text(6), session), (gateway, positions.text(6), [:]), (gateway, "6", session),
        ] {
            let answer = await gateway.send("GET /changes?since=\(query)", headers)
            #expect(answer.status == 410)
            #expect(try answer.json.object?["code"] == 119)
        }
    }

    @Test func changeStreamRefusesTheEventIDOfAnotherUsersFeed() async throws {
        let (spaces, gateway) = world("one")
        let accept = ["Accept": "text/event-stream"].merging(session) { $1 }
        func stream(_ position: String) async -> Answer {
            await gateway.send("GET /changes", accept.merging(["Last-Event-ID": position]) { $1 })
        }
        let reader = try EventReader(await stream(positions.text(8)))
        #expect(await reader.next()?.id == positions.text(8))
        #expect(await reader.next("change")?.id == positions.text(9))
        #expect(await reader.next("change")?.id == positions.text(10))
        #expect(await stream("8").status == 410)

        // The stream of an ended session sends no further change.
        spaces.ended.withLock { $0.append(FakeSpaces.token) }
        spaces.store?.change()
        #expect(await reader.next() == nil)
    }
}
