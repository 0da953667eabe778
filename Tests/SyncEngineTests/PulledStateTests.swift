import ParseModel
import StoreService
import Testing

@testable import SyncEngine

@Suite("Pulls of one sync")
struct PulledStateTests {
    private let all = PullId.allObjects(of: "Holiday")
    private var empty: PulledState { PulledState(before: SyncClasses([])) }

    @Test func aSecondPullInOneSyncReplacesStartTimeAndCount() {
        var pulled = empty
        pulled.note(all, began: .init(milliseconds: 1), remoteCount: 3, beganInThePast: false)
        pulled.note(all, began: .init(milliseconds: 2), remoteCount: nil, beganInThePast: false)
        #expect(pulled.began(all) == .init(milliseconds: 2))
        #expect(pulled.remoteCount(all) == nil)
    }

    /// The first pull makes an audit necessary. The audit is still due after the second pull.
    @Test func aRepeatedPullDoesNotCancelTheAuditThatTheFirstMadeDue() {
        var pulled = empty
        pulled.note(all, began: .init(milliseconds: 1), remoteCount: 3, beganInThePast: true)
        pulled.note(all, began: .init(milliseconds: 2), remoteCount: 3, beganInThePast: false)
        #expect(pulled.beganInThePast(all))
    }

    @Test func aClassWithACreateOfUnknownOutcomeIsNotComparedWithTheRemote() {
        var pulled = empty
        pulled.note(all, began: .init(milliseconds: 1), remoteCount: 3, beganInThePast: false)
        pulled.note(.allObjects(of: "Birthday"), began: .init(milliseconds: 1), remoteCount: 1, beganInThePast: false)
        pulled.forget(["Holiday"])
        #expect(!pulled.isComplete(all))
        #expect(pulled.isComplete(.allObjects(of: "Birthday")))
    }
}
