import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The meaning of a row that shows an object as it was before, or one that a person is being asked about. Pure.
enum OlderRowRules {
    enum Verdict: Sendable, Hashable {
        /// The row is news like any other.
        case apply
        /// The row is news, and answers the question to the person.
        case release
        /// The remote is an older backup of itself: a person has to decide.
        case lost
        /// The list may lag behind the acknowledged write: the row is no news, and is asked for again.
        case wait
    }

    struct Circumstances: Sendable {
        /// At least so late was it at the remote when the row was read; nil where that is not known.
        var serverTime: ParseDate?
        /// How late a write may be committed after it was stamped.
        var lateStampMax: Duration
        var looksMin: Int
        var lookingTime: Duration
        /// The remote is known to be an older backup of itself.
        var isRestored: Bool
    }

    static func judge(_ known: KnownObject, against row: RemoteRecord, _ now: Circumstances) -> Verdict {
        let base = known.base
        if known.isReverted {
            // The list had lagged behind, or another client has sent the lost state again.
            let isBack =
                row.updatedAt == base.updatedAt || (row.updatedAt > base.updatedAt && row.fields == base.fields)
            return isBack ? .release : .lost
        }
        let accepted = known.heldBecause == nil ? Verdict.apply : .release
        guard row.updatedAt < base.updatedAt, known.standing != .unshown else { return accepted }
        // The remote's clock has been set back: a new row has an older stamp.
        if let serverTime = now.serverTime, base.updatedAt > serverTime + .seconds(1) { return accepted }
        // A write that was stamped earlier has been committed later.
        if !now.isRestored, base.updatedAt <= row.updatedAt + now.lateStampMax { return accepted }
        if known.standing == .acknowledged, !now.isRestored, !isOver(known, now) { return .wait }
        return .lost
    }

    /// Whether it has been looked for an acknowledged write as often and as long as lists may lag behind.
    static func isOver(_ known: KnownObject, _ now: Circumstances) -> Bool {
        guard known.looks >= now.looksMin, let since = known.lookedSince, let serverTime = now.serverTime else {
            return false
        }
        return serverTime >= since + now.lookingTime
    }
}
