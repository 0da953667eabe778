import RemoteService
import StoreService

/// Counts of a pull that differ between store and remote after a search: a removal is held, the remote counts hidden
/// objects, its lists lag, or it counts wrongly. While the counts stay the same, another search is expensive and rarely
/// finds anything, so the searches become less frequent.
struct CountMismatch: Hashable {
    let pull: NamedPull
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

    /// The mismatch with the number of consecutive syncs that had the same counts.
    /// - Parameter known: the mismatch of the pull in the previous sync.
    func following(_ known: CountMismatch?) -> CountMismatch {
        var met = self
        if let known, known.pull == pull, known.here == here, known.there == there { met.syncs = known.syncs + 1 }
        return met
    }

    /// Whether to search. A mismatch is searched for in its first, second, fourth, eighth sync, and so on.
    var isDue: Bool { syncs & (syncs - 1) == 0 }
}
