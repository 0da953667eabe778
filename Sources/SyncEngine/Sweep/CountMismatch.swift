import RemoteService
import StoreService

/// The counts of a pull that still differ between store and remote after a search. Possible reasons: a removal is held, the
/// remote counts hidden objects, its lists lag, or it counts wrongly. While the counts stay unchanged, another search rarely
/// finds anything, so searches become less frequent.
struct CountMismatch: Hashable {
    let pull: NamedPull
    /// The number of local objects.
    let here: Int
    /// The number of remote objects; nil if the remote does not count.
    let there: Int?
    /// The number of consecutive syncs with this mismatch.
    private(set) var syncs = 1

    init(pull: NamedPull, here: Int, there: Int?) {
        self.pull = pull
        self.here = here
        self.there = there
    }

    /// The mismatch with its number of syncs, continued from the previous sync if the counts are unchanged.
    /// - Parameter known: the mismatch of the pull in the previous sync; nil for none.
    func following(_ known: CountMismatch?) -> CountMismatch {
        var met = self
        if let known, known.pull == pull, known.here == here, known.there == there { met.syncs = known.syncs + 1 }
        return met
    }

    /// Whether to search in this sync. A mismatch is searched for in its first, second, fourth, eighth sync, and so on.
    var isDue: Bool { syncs & (syncs - 1) == 0 }
}
