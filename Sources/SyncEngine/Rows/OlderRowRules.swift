import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The rules for a row that is older than its base, or whose object waits for a user's decision. Pure.
enum OlderRowRules {
    enum Verdict: Sendable, Hashable {
        /// The row is applied normally.
        case apply
        /// The row is applied, and no decision is needed any more.
        case release
        /// The remote was restored from an older backup. A user must decide.
        case lost
        /// The list may lag behind the acknowledged write. The row is not applied, and will be read again.
        case wait
    }

    struct Circumstances: Sendable {
        /// The earliest server time at which the row may have been read; nil if unknown.
        var serverTime: ParseDate?
        /// The longest time between a write's timestamp and its commit.
        var lateStampMax: Duration
        var looksMin: Int
        var lookingTime: Duration
        /// Whether the remote is known to be a restored backup.
        var isRestored: Bool
    }

    static func judge(_ known: KnownObject, against row: RemoteRecord, _ now: Circumstances) -> Verdict {
        let base = known.base
        if known.isReverted {
            // The list lagged, or another client has sent the lost state again.
            let isBack =
                row.updatedAt == base.updatedAt || (row.updatedAt > base.updatedAt && row.fields == base.fields)
            return isBack ? .release : .lost
        }
        let accepted = known.heldBecause == nil ? Verdict.apply : .release
        guard row.updatedAt < base.updatedAt, known.standing != .unshown else { return accepted }
        // After the remote's clock was set back, a new row has an older timestamp.
        if let serverTime = now.serverTime, base.updatedAt > serverTime + .seconds(1) { return accepted }
        // A write with an earlier timestamp may be committed later.
        if !now.isRestored, base.updatedAt <= row.updatedAt + now.lateStampMax { return accepted }
        if known.standing == .acknowledged, !now.isRestored, !isOver(known, now) { return .wait }
        return .lost
    }

    /// Whether the search for the write has used all its reads and its time.
    static func isOver(_ known: KnownObject, _ now: Circumstances) -> Bool {
        guard known.looks >= now.looksMin, let since = known.lookedSince, let serverTime = now.serverTime else {
            return false
        }
        return serverTime >= since + now.lookingTime
    }
}
