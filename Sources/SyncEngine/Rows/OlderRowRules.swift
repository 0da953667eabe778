import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The rules for a remote row that is older than its base, or whose object waits for a user's decision. Pure.
enum OlderRowRules {
    enum Verdict: Sendable, Hashable {
        /// Apply the row.
        case apply
        /// Apply the row. The object then no longer waits for a decision.
        case release
        /// The remote was restored from an older backup. Hold the object until a user decides.
        case lost
        /// The remote was restored from an older backup. Apply the row, because the object is deleted here and the row has a
        /// version: the deletion then meets the row under the policy of the class, and no state of the object is lost.
        case applyRestored
        /// The remote's answer may lag behind an acknowledged edit. Do not apply the row, and read it again later.
        case wait
    }

    struct Circumstances: Sendable {
        /// The earliest possible current server time; nil if unknown.
        var serverTime: ParseDate?
        /// The longest time between the timestamp of a write and its commit.
        var lateStampMax: Duration
        /// The minimum number of syncs that must search for an acknowledged write before the search ends.
        var looksMin: Int
        /// The minimum duration of the search for an acknowledged write, in server time.
        var lookingTime: Duration
        /// Whether the remote seems to be a restored backup.
        var isRestored: Bool
    }

    static func judge(_ known: KnownObject, against row: RemoteRecord, _ now: Circumstances) -> Verdict {
        let base = known.base
        // The deletion of a row with a version names the version of the base, so the server refuses it until the base is the row.
        // A deletion without a version is sent in any case.
        let isRefusedUntilApplied = known.isDeletedHere && row.version != nil
        if known.isReverted, !isRefusedUntilApplied {
            // Whether the remote has the base again: its answers lagged before, or another client has written the same fields
            // again.
            let isBack =
                row.updatedAt == base.updatedAt || (row.updatedAt > base.updatedAt && row.fields == base.fields)
            return isBack ? .release : .lost
        }
        let accepted = known.heldBecause == nil ? Verdict.apply : .release
        guard row.updatedAt < base.updatedAt, known.standing != .unshown else { return accepted }
        // A base with a timestamp in the future shows that the remote's clock was set back. A new row then has an older
        // timestamp than its base.
        if let serverTime = now.serverTime, base.updatedAt > serverTime + .seconds(1) { return accepted }
        if now.isRestored, !isRefusedUntilApplied { return .lost }
        if known.standing == .acknowledged, !isOver(known, now) { return .wait }
        // A row with a slightly earlier timestamp may be newer than the base: the row's write may have been committed later.
        if base.updatedAt <= row.updatedAt + now.lateStampMax { return accepted }
        return isRefusedUntilApplied ? .applyRestored : .lost
    }

    /// Whether the search for the object's acknowledged state has ended: at least `looksMin` syncs have searched in vain, over at
    /// least `lookingTime` of server time. False if the server time is unknown.
    static func isOver(_ known: KnownObject, _ now: Circumstances) -> Bool {
        guard known.looks >= now.looksMin, let since = known.lookedSince, let serverTime = now.serverTime else {
            return false
        }
        return serverTime >= since + now.lookingTime
    }
}
