import GatewayAPI
import ParseModel
import Testing

/// Sends requests that were recorded at a real Parse Server to a standalone gateway, and compares status, headers and
/// members of the answers.
@Suite("Replay of requests recorded at a real Parse Server")
struct RecordingReplayTests {
    @Test func theGatewayAnswersRecordedRequestsLikeParseServer() async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let keys = ClientKeys(applicationId: "app", masterKey: "master")
        let hub = try Hub(directory, clock: clock, keys: keys, dialect: .seven)
        let exchanges = try RecordedExchange.all()
        #expect(exchanges.count == 105)
        var ids = IdTranslation()
        var differing: Set<String> = []
        for exchange in exchanges {
            clock.advance(.milliseconds(5))
            let answer = await exchange.replayed(to: hub.api, ids)
            ids.learn(exchange.answer.json, answer.json)
            if Self.isAsRecorded(answer, exchange, ids) { continue }
            differing.insert(exchange.name)
            guard let known = KnownDifferences.byName[exchange.name] else {
                Issue.record("\(Self.words(answer, exchange))")
                continue
            }
            #expect(answer.status == known.status, "\(Self.words(answer, exchange))")
            #expect(answer.code == known.code, "\(Self.words(answer, exchange))")
            if let members = known.members {
                #expect(
                    Self.isAsRecorded(answer, exchange, ids, without: members), "\(Self.words(answer, exchange))")
            }
        }
        // A listed difference that no longer occurs must be removed from the list.
        #expect(Set(KnownDifferences.byName.keys).subtracting(differing).sorted() == [])
        withExtendedLifetime(directory) {}
    }

    @Test func requestWithoutTheAccessKeyIsRefusedLikeByParseServer() async throws {
        let directory = try TemporaryDirectory()
        let hub = try Hub(directory, clock: TestClock(), accessKey: "rest", dialect: .seven)
        for exchange in try RecordedExchange.all()
        where ["no keys", "list of an unknown class"].contains(exchange.name) {
            let answer = await exchange.replayed(to: hub.api, IdTranslation())
            #expect(
                Self.isAsRecorded(answer, exchange, IdTranslation()), "\(Self.words(answer, exchange))")
        }
        withExtendedLifetime(directory) {}
    }

    private static func isAsRecorded(
        _ answer: RecordedExchange.Answer, _ exchange: RecordedExchange, _ ids: IdTranslation,
        without members: Set<String> = []
    ) -> Bool {
        let recorded = exchange.answer
        guard answer.status == recorded.status, answer.contentType == recorded.contentType,
            answer.location == recorded.location.map(ids.ours)
        else { return false }
        guard let json = recorded.json else { return answer.text == recorded.text }
        return answer.json?.withoutTimesAndPlaces.without(members) == ids.expected(json).without(members)
    }

    private static func words(_ answer: RecordedExchange.Answer, _ exchange: RecordedExchange) -> String {
        """
        \(exchange.name): recorded \(exchange.answer.line), ours \(answer.line)
        """
    }
}

extension JSONValue {
    /// The value without the named members, at any level.
    fileprivate func without(_ members: Set<String>) -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.without(members) })
        case .object(let object):
            .object(
                JSONObject(object.filter { !members.contains($0.key) }.map { ($0.key, $0.value.without(members)) }))
        default: self
        }
    }
}
