import RemoteService
import StoreService

/// Counts of a pull that still differ here and there after a search: a removal is held back, the remote counts hidden objects, its
/// lists lag behind, or it does not count. While the counts stay the same, another search seldom finds anything and takes many
/// requests, so the searches become ever rarer.
struct CountMismatch: Hashable {
    let pull: NamedPull
    let here: Int
    /// Nil where the remote does not tell.
    let there: Int?
    /// How many syncs in a row have met it.
    private(set) var syncs = 1

    init(pull: NamedPull, here: Int, there: Int?) {
        self.pull = pull
        self.here = here
        self.there = there
    }

    /// - Parameter known: the mismatch of the pull in the sync before.
    func following(_ known: CountMismatch?) -> CountMismatch {
        var met = self
        if let known, known.pull == pull, known.here == here, known.there == there { met.syncs = known.syncs + 1 }
        return met
    }

    /// The first sync that meets it searches, then the second, the fourth, the eighth, and so on.
    var isDue: Bool { syncs & (syncs - 1) == 0 }
}
