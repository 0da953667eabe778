import ParseModel
import RemoteService
import StoreService
import SyncModel
import Testing

@testable import GatewayAPI

/// Tests which reason is told for a change that waits, and which way out.
@Suite("Reasons for waits") struct WaitReasonTests {
    private typealias Target = WaitingChange.Target

    private static func change(
        phase: PendingStep.Phase = .pending, by author: SyncAuthor = .gateway, attempts: Int = 0, code: Int? = nil,
        error: String? = nil, files: [WaitingChange.File] = [], targets: [WaitingChange.Target] = []
    ) -> WaitingChange {
        WaitingChange(
            id: 7, author: author, object: Pointer(className: "Note", objectId: "a"), kind: .update, phase: phase,
            madeAt: ParseDate(milliseconds: 0), attempts: attempts, code: code, error: error, files: files,
            targets: targets)
    }

    private static func target(_ id: String, _ standing: WaitingChange.Target.Standing) -> WaitingChange.Target {
        WaitingChange.Target(object: Pointer(className: "Boat", objectId: id), standing: standing)
    }

    private func reason(
        _ change: WaitingChange, _ syncs: WaitReason.Syncs = WaitReason.Syncs(), waitsForLogIn: Bool = false
    ) -> WaitReason { WaitReason(of: change, syncs, waitsForLogIn: waitsForLogIn) }

    @Test func failingSyncsAreTheReasonBeforeAnyOther() {
        let change = Self.change(by: .user("ada"), targets: [Self.target("b", .rejected)])
        let syncs = WaitReason.Syncs(error: .unauthorized(message: "wrong key"))
        #expect(reason(change, syncs, waitsForLogIn: true) == .sync(.unauthorized(message: "wrong key")))
        #expect(reason(change, WaitReason.Syncs(error: .waitsForLogIn)) == .logIn(userId: nil))
        #expect(reason(change, waitsForLogIn: true).text == "It waits until the user ada logs in.")
    }

    @Test func objectThatWaitsForADecisionIsNamedBeforeOthers() {
        let reason = reason(Self.change(targets: [Self.target("b", .waiting), Self.target("c", .inConflict)]))
        #expect(reason.name == "object")
        #expect(reason.text == "It points to /classes/Boat/c, which has an open conflict.")
        #expect(reason.wayOut(of: Self.change()).contains("GET /sync/conflicts"))
        let waiting = self.reason(Self.change(targets: [Self.target("b", .waiting)]))
        #expect(waiting.wayOut(of: Self.change()) == "GET /classes/Boat/b?_why=true tells why that object waits.")
    }

    @Test func failedUploadIsNamedWithItsLastError() {
        let files = [
            WaitingChange.File(name: "0123456789abcdef0123456789abcdef_a.png", attempts: 0, error: nil),
            WaitingChange.File(name: "0123456789abcdef0123456789abcdef_b.png", attempts: 3, error: "HTTP 500"),
        ]
        let reason = reason(Self.change(files: files))
        #expect(reason.name == "file")
        #expect(
            reason.text == "Its file b.png is not on the remote yet: 3 uploads failed, the last with: HTTP 500.")
        #expect(reason.wayOut(of: Self.change()).contains("DELETE /sync/pending/7"))
    }

    @Test func answersOfTheRemoteAreTheReasonOfAChangeWithoutObstacles() {
        #expect(reason(Self.change(phase: .unknown, error: "time-out")) == .unknownOutcome(error: "time-out"))
        #expect(
            reason(Self.change(attempts: 2, code: 107, error: "cannot add")).text
                == "The remote refuses it for the time being: cannot add (code 107).")
        #expect(reason(Self.change(error: "no way")).text == "The last attempt failed: no way.")
        let syncs = WaitReason.Syncs(
            failingPulls: ["Note": "broken"], progress: SyncProgress(phase: .pull, className: "Boat", done: 3, total: 9)
        )
        #expect(reason(Self.change(), syncs) == .pull(message: "broken"))
        #expect(
            reason(Self.change(), WaitReason.Syncs(progress: syncs.progress)).text
                == "The running sync has not reached it yet (pull Boat, 3 of 9).")
        #expect(reason(Self.change()) == .unexplained)
    }
}
