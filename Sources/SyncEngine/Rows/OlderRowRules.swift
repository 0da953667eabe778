import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The rules for a row that is older than its base, or whose object waits for a person's decision. Pure.
enum OlderRowRules {
    enum Verdict: Sendable, Hashable {
        /// The row is taken in like any other.
        case apply
        /// The row is taken in, and no decision is needed any more.
        case release
        /// The remote was restored from an older backup. A person has to decide.
        case lost
        /// The list may lag behind the acknowledged write. The row is not taken in, and is read again.
        case wait
    }

    struct Circumstances: Sendable {
        /// The earliest server time at which the row may have been read; nil if it is not known.
        var serverTime: ParseDate?
        /// How late a write may be committed after it was stamped.
        var lateStampMax: Duration
        var looksMin: Int
        var lookingTime: Duration
        /// The remote is known to be restored from an older backup.
        var isRestored: Bool
    }

    static func judge(_ known: KnownObject, against row: RemoteRecord, _ now: Circumstances) -> Verdict {
        let base = known.base
        if known.isReverted {
            // The list lagged behind, or another client has sent the lost state again.
            let isBack =
                row.updatedAt == base.updatedAt || (row.updatedAt > base.updatedAt && row.fields == base.fields)
            return isBack ? .release : .lost
        }
        let accepted = known.heldBecause == nil ? Verdict.apply : .release
        guard row.updatedAt < base.updatedAt, known.standing != .unshown else { return accepted }
        // After the remote's clock was set back, a new row has an older stamp.
        if let serverTime = now.serverTime, base.updatedAt > serverTime + .seconds(1) { return accepted }
        // A write that was stamped earlier may be committed later.
        if !now.isRestored, base.updatedAt <= row.updatedAt + now.lateStampMax { return accepted }
        if known.standing == .acknowledged, !now.isRestored, !isOver(known, now) { return .wait }
        return .lost
    }

    /// Whether the write was looked for as often and as long as lists may lag behind.
    static func isOver(_ known: KnownObject, _ now: Circumstances) -> Bool {
        guard known.looks >= now.looksMin, let since = known.lookedSince, let serverTime = now.serverTime else {
            return false
        }
        return serverTime >= since + now.lookingTime
    }
}
