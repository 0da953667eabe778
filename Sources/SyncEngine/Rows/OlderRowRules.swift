import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The rules for a remote row that is older than the local copy, or whose object waits for a user's decision. They have
/// no side effects.
enum OlderRowRules {
    enum Verdict: Sendable, Hashable {
        /// Apply the row.
        case apply
        /// Apply the row. The object then no longer waits for a decision.
        case release
        /// The remote was restored from an older backup. Keep the object unchanged until a user decides.
        case lost
        /// The remote was restored from an older backup. Apply the row nevertheless: the object is deleted locally, and
        /// the row has a version. The policy of the class then decides between deletion and row, and no state of the
        /// object is lost.
        case applyRestored
        /// The remote's answer may be older than an acknowledged edit. Do not apply the row, and read it again later.
        case wait
    }

    struct Circumstances: Sendable {
        /// The earliest possible current server time; nil if unknown.
        var serverTime: ParseDate?
        /// The longest time between the timestamp of a write and its commit.
        var lateStampMax: Duration
        /// The minimum number of syncs that search for an acknowledged write that the remote does not show.
        var looksMin: Int
        /// The minimum duration of the search for an acknowledged write, in server time.
        var lookingTime: Duration
        /// Whether the remote seems to be a restored backup.
        var isRestored: Bool
    }

    static func judge(_ known: KnownObject, against row: RemoteRecord, _ now: Circumstances) -> Verdict {
        let base = known.base
        // A conditional deletion names the version of the base, the last known remote state. The server refuses it
        // until the base is the row with the present version. A deletion without a version is sent in any case.
        let isRefusedUntilApplied = known.isDeletedHere && row.version != nil
        if known.isReverted, !isRefusedUntilApplied {
            // Whether the remote again has the state that this gateway knows: its answers lagged before, or another
            // client has written the same fields again.
            let isBack =
                row.updatedAt == base.updatedAt || (row.updatedAt > base.updatedAt && row.fields == base.fields)
            return isBack ? .release : .lost
        }
        let accepted = known.heldBecause == nil ? Verdict.apply : .release
        guard row.updatedAt < base.updatedAt, known.standing != .unshown else { return accepted }
        // If the base (the last known remote state) has a timestamp in the future, the remote's clock was set back. A
        // new row then has an earlier timestamp than the base.
        if let serverTime = now.serverTime, base.updatedAt > serverTime + .seconds(1) { return accepted }
        if now.isRestored, !isRefusedUntilApplied { return .lost }
        if known.standing == .acknowledged, !isOver(known, now) { return .wait }
        // A row with a slightly earlier timestamp than the base may be newer: its write may have been committed later.
        if base.updatedAt <= row.updatedAt + now.lateStampMax { return accepted }
        return isRefusedUntilApplied ? .applyRestored : .lost
    }

    /// Whether the search for the object's acknowledged state is over: at least `looksMin` syncs have not found it,
    /// over at least `lookingTime` of server time. False if the server time is unknown.
    static func isOver(_ known: KnownObject, _ now: Circumstances) -> Bool {
        guard known.looks >= now.looksMin, let since = known.lookedSince, let serverTime = now.serverTime else {
            return false
        }
        return serverTime >= since + now.lookingTime
    }
}
