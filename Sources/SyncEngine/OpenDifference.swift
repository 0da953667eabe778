import RemoteService
import StoreService

/// Counts of a pull that differ here and there, though the difference was searched for: what is gone is held back, or the
/// remote counts what it does not show, or its lists lag behind, or it lets nobody count. As long as the counts stay what
/// they are, searching again seldom finds anything else, and takes many requests; so it is done ever more rarely.
struct OpenDifference: Hashable {
    let pull: NamedPull
    let here: Int
    /// Nil where the remote does not say.
    let there: Int?
    /// How many syncs in a row have met it.
    private(set) var syncs = 1

    init(pull: NamedPull, here: Int, there: Int?) {
        self.pull = pull
        self.here = here
        self.there = there
    }

    /// - Parameter known: what is known of the pull from the sync before.
    func following(_ known: OpenDifference?) -> OpenDifference {
        var met = self
        if let known, known.pull == pull, known.here == here, known.there == there { met.syncs = known.syncs + 1 }
        return met
    }

    /// The first sync that meets it searches, the second, the fourth, the eighth, and so on.
    var isDue: Bool { syncs & (syncs - 1) == 0 }
}
