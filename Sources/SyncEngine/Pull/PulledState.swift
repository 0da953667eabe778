import ParseModel
import RemoteService
import StoreService

/// What the pulls of one sync have brought. Audits and sweeps start from it.
struct PulledState: Sendable {
    private struct Complete {
        /// The server time at which the pull began.
        var began: ParseDate
        /// How many objects the remote has; nil where it does not tell.
        var remoteCount: Int?
        /// The pull began before the one that it follows: the server's clock was set back.
        var beganInThePast = false
        var isAudited = false
    }

    /// By class, the server time before which each object that exists now was known: the begin of the sync before.
    let knownBefore: [String: ParseDate]
    /// Why no class could be pulled; nil if the remote did not refuse all of them.
    var refusal: SyncError?
    private var complete: [PullId: Complete] = [:]

    init(before classes: SyncClasses) {
        var knownBefore: [String: ParseDate] = [:]
        for syncClass in classes.sorted {
            knownBefore[syncClass.name] = syncClass.pulls.compactMap(\.completeSince).min()
        }
        self.knownBefore = knownBefore
    }

    /// Whether no pull came to its end.
    var isEmpty: Bool { complete.isEmpty }

    func isComplete(_ pull: PullId) -> Bool { complete[pull] != nil }

    func began(_ pull: PullId) -> ParseDate? { complete[pull]?.began }

    /// The begin of the earliest complete pull of the class.
    func began(of className: String) -> ParseDate? {
        complete.filter { $0.key.className == className }.map(\.value.began).min()
    }

    func beganInThePast(_ pull: PullId) -> Bool { complete[pull]?.beganInThePast == true }

    func remoteCount(_ pull: PullId) -> Int? { complete[pull]?.remoteCount }

    func isAudited(_ pull: PullId) -> Bool { complete[pull]?.isAudited == true }

    var isAnyAudited: Bool { complete.values.contains(where: \.isAudited) }

    /// The pull came to its end.
    mutating func note(_ pull: PullId, began: ParseDate, remoteCount: Int?, beganInThePast: Bool) {
        var state = complete[pull] ?? Complete(began: began)
        state.began = began
        state.remoteCount = remoteCount
        state.beganInThePast = state.beganInThePast || beganInThePast
        complete[pull] = state
    }

    /// Everything that the pull covers was compared with the remote.
    mutating func noteAudited(_ pull: PullId, remoteCount: Int) {
        complete[pull]?.remoteCount = remoteCount
        complete[pull]?.isAudited = true
    }

    /// The pulls of the classes no longer count as complete.
    mutating func forget(_ classNames: Set<String>) {
        complete = complete.filter { !classNames.contains($0.key.className) }
    }
}
