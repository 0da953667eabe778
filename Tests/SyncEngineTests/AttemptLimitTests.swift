import SyncModel
import SyncModelSupport
import Testing

@testable import SyncEngine

@Suite("Attempt limit")
struct AttemptLimitTests {
    private let failure = RemoteFailure(code: 141, message: "a hook failed")

    private func entry(attempts: Int, failure: RemoteFailure? = nil) -> OutboxEntry {
        OutboxEntry(
            id: 1, className: "Holiday", objectId: "a", step: .make(.update, ["n": 2]), requestId: "r",
            attempts: attempts, attemptedAt: nil, unansweredAt: nil, base: .make(["n": 1]), awaits: [],
            failure: failure)
    }

    @Test func aChangeIsRejectedAfterItsLastAttemptWhileOthersSucceed() {
        let limit = AttemptLimit(attemptsMax: 5, takesOthers: true, failingCount: 3)
        #expect(limit.limit(.sendAgain, of: entry(attempts: 4)) == .sendAgain)
        #expect(
            limit.limit(.sendAgain, of: entry(attempts: 5, failure: failure))
                == .rejected(code: 141, message: "a hook failed"))
    }

    @Test func noChangeIsRejectedWhileTheRemoteIsSilent() {
        let limit = AttemptLimit(attemptsMax: 5, takesOthers: false, failingCount: 0)
        #expect(limit.limit(.sendAgain, of: entry(attempts: 100)) == .sendAgain)
    }

    @Test(arguments: [(1, 5), (2, 10), (4, 20), (9, 20)])
    func changesThatFailTogetherGetMoreAttempts(failing: Int, attempts: Int) {
        let limit = AttemptLimit(attemptsMax: 5, takesOthers: false, failingCount: failing)
        #expect(limit.limit(.sendAgain, of: entry(attempts: attempts - 1, failure: failure)) == .sendAgain)
        #expect(limit.limit(.sendAgain, of: entry(attempts: attempts, failure: failure)) != .sendAgain)
    }

    @Test func theAttemptLimitDoesNotAffectSettledChanges() {
        let limit = AttemptLimit(attemptsMax: 5, takesOthers: true, failingCount: 1)
        #expect(limit.limit(.deletionDone, of: entry(attempts: 9, failure: failure)) == .deletionDone)
    }
}
