import RemoteService
import StoreService

/// The local and the remote count of a pull, which differ. A search may not remove the difference, because a removal is held, or
/// because the remote counts hidden objects, has lagging lists or counts wrongly. While the counts stay unchanged, another search
/// rarely finds anything, so searches become less frequent.
struct CountMismatch: Hashable {
    let pull: NamedPull
    /// The number of local objects, plus the number of skipped rows without an older local state.
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

    /// This mismatch, with the number of consecutive syncs that found it: one more than in `known` if the counts are the same,
    /// otherwise one.
    /// - Parameter known: the mismatch of the pull in the previous sync; nil for none.
    func following(_ known: CountMismatch?) -> CountMismatch {
        var met = self
        if let known, known.pull == pull, known.here == here, known.there == there { met.syncs = known.syncs + 1 }
        return met
    }

    /// Whether to search in this sync: the first, second, fourth, eighth sync with this mismatch, and so on.
    var isDue: Bool { syncs & (syncs - 1) == 0 }
}
