import ParseModel
import RemoteService
import StoreService
import SyncModel
import Testing

@testable import SyncEngine

@Suite("Rules for pulled rows older than the known state")
struct OlderRowRulesTests {
    private static let fields: JSONObject = ["n": 1]

    private static func date(_ seconds: Int64) -> ParseDate { ParseDate(milliseconds: seconds * 1000) }

    private static func known(
        _ standing: KnownObject.Standing = .shown, held: RemovalReason? = nil, isReverted: Bool = false,
        isDeletedHere: Bool = false, looks: Int = 0, since: Int64? = nil
    ) -> KnownObject {
        KnownObject(
            objectId: "a", base: ObjectState(createdAt: date(0), updatedAt: date(1000), fields: fields),
            standing: standing, heldBecause: held, isReverted: isReverted, isDeletedHere: isDeletedHere, looks: looks,
            lookedSince: since.map(date))
    }

    private static func row(
        _ seconds: Int64, _ fields: JSONObject = fields, version: String? = nil
    ) -> RemoteRecord {
        RemoteRecord(
            className: "C", objectId: "a", createdAt: date(0), updatedAt: date(seconds), fields: fields,
            version: version)
    }

    private static func judge(
        _ known: KnownObject, _ row: RemoteRecord, at seconds: Int64? = 2000, isRestored: Bool = false
    ) -> OlderRowRules.Verdict {
        OlderRowRules.judge(
            known, against: row,
            OlderRowRules.Circumstances(
                serverTime: seconds.map(date), lateStampMax: .seconds(10), looksMin: 3, lookingTime: .seconds(300),
                isRestored: isRestored))
    }

    @Test func newerPulledRowsAreApplied() {
        #expect(Self.judge(Self.known(), Self.row(1000)) == .apply)
        #expect(Self.judge(Self.known(), Self.row(1001)) == .apply)
    }

    @Test func anOlderPulledRowProvesARestoredBackup() {
        #expect(Self.judge(Self.known(), Self.row(989)) == .lost)
        #expect(Self.judge(Self.known(), Self.row(989), at: nil) == .lost)
    }

    @Test func rowsOfLateCommitsAreApplied() {
        #expect(Self.judge(Self.known(), Self.row(990)) == .apply)
        #expect(Self.judge(Self.known(), Self.row(990), isRestored: true) == .lost)
    }

    @Test func rowsWrittenAfterTheServersClockWasSetBackAreApplied() {
        #expect(Self.judge(Self.known(), Self.row(500), at: 900) == .apply)
    }

    @Test func anOlderRowIsNotAppliedWhileAnAcknowledgedEditMayStillAppear() {
        #expect(Self.judge(Self.known(.acknowledged), Self.row(500)) == .wait)
        #expect(Self.judge(Self.known(.acknowledged, looks: 2, since: 1000), Self.row(500)) == .wait)
        #expect(Self.judge(Self.known(.acknowledged, looks: 3, since: 1900), Self.row(500)) == .wait)
        #expect(Self.judge(Self.known(.acknowledged, looks: 3, since: 1700), Self.row(500)) == .lost)
    }

    /// A lagging list may show the row of a few seconds before the edit.
    @Test func aSlightlyOlderRowDoesNotUndoAnAcknowledgedEdit() {
        #expect(Self.judge(Self.known(.acknowledged), Self.row(995)) == .wait)
        #expect(Self.judge(Self.known(.acknowledged, looks: 3, since: 1700), Self.row(995)) == .apply)
    }

    @Test func heldRemovedObjectsAreReleasedOnceTheirStateReturns() {
        let held = Self.known(held: .restoredBackup, isReverted: true)
        #expect(Self.judge(held, Self.row(500)) == .lost)
        #expect(Self.judge(held, Self.row(1000)) == .release)
        #expect(Self.judge(held, Self.row(1500)) == .release)
        #expect(Self.judge(held, Self.row(1500, ["n": 2])) == .lost)
    }

    @Test func heldRemovedObjectsThatReappearAreReleased() {
        #expect(Self.judge(Self.known(held: .restoredBackup), Self.row(1000)) == .release)
        #expect(Self.judge(Self.known(.unshown, held: .neverShown), Self.row(1000)) == .release)
        #expect(Self.judge(Self.known(held: .restoredBackup), Self.row(500)) == .lost)
    }

    /// Locally deleted objects are not in the lists of held-back removals, so a user could not decide about such an
    /// object.
    @Test func locallyDeletedObjectsWithVersionsAreNeverHeld() {
        #expect(Self.judge(Self.known(isDeletedHere: true), Self.row(500, version: "v")) == .applyRestored)
        #expect(Self.judge(Self.known(isDeletedHere: true), Self.row(995, version: "v"), isRestored: true) == .apply)
        let held = Self.known(held: .restoredBackup, isReverted: true, isDeletedHere: true)
        #expect(Self.judge(held, Self.row(995, version: "v")) == .release)
        #expect(Self.judge(held, Self.row(500, version: "v")) == .applyRestored)
    }

    @Test func aVersionedDeletionWaitsUntilAnAcknowledgedEditAppears() {
        let searched = Self.known(.acknowledged, isDeletedHere: true, looks: 3, since: 1700)
        let searching = Self.known(.acknowledged, isDeletedHere: true, looks: 2, since: 1700)
        #expect(Self.judge(searching, Self.row(995, version: "v"), isRestored: true) == .wait)
        #expect(Self.judge(searched, Self.row(995, version: "v"), isRestored: true) == .apply)
        #expect(Self.judge(searched, Self.row(500, version: "v"), isRestored: true) == .applyRestored)
    }

    /// A deletion that names no version is sent in any case.
    @Test func aLocalDeletionWithoutAVersionIgnoresOlderRows() {
        #expect(Self.judge(Self.known(isDeletedHere: true), Self.row(500)) == .lost)
        #expect(Self.judge(Self.known(isDeletedHere: true), Self.row(995), isRestored: true) == .lost)
    }
}
