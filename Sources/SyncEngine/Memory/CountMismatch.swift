import RemoteService
import StoreService

/// A pull whose numbers of local and remote objects differ, or whose remote number is unknown. A search for the missing
/// objects need not remove the difference: a removal may wait for a decision, or the remote may count hidden objects or
/// count wrongly. While the numbers stay unchanged, searches become less frequent.
struct CountMismatch: Hashable {
    let pull: NamedPull
    /// The number of local objects of the pull, plus the number of remote rows that were skipped as too large and are
    /// not stored locally.
    let here: Int
    /// The number of remote objects; nil if the remote does not count them.
    let there: Int?
    /// The number of consecutive syncs with this mismatch.
    private(set) var syncs = 1

    init(pull: NamedPull, here: Int, there: Int?) {
        self.pull = pull
        self.here = here
        self.there = there
    }

    /// This mismatch, with an updated number of consecutive syncs: one more than in `known` if the pull and the counts
    /// are the same, otherwise one.
    /// - Parameter known: the mismatch of the pull in the previous sync; nil for none.
    func following(_ known: CountMismatch?) -> CountMismatch {
        var met = self
        if let known, known.pull == pull, known.here == here, known.there == there { met.syncs = known.syncs + 1 }
        return met
    }

    /// Whether this sync searches for the missing objects: the first, second, fourth, eighth sync with this mismatch,
    /// and so on.
    var isDue: Bool { syncs & (syncs - 1) == 0 }
}
