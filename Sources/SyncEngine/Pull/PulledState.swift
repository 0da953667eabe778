import ParseModel
import RemoteService
import StoreService

/// The results of the pulls of one sync. Later phases of the sync use them.
struct PulledState: Sendable {
    private struct Complete {
        /// The server time at which the pull began.
        var began: ParseDate
        /// The number of remote objects of the pull; nil if the remote does not count them.
        var remoteCount: Int?
        /// Whether the server's clock was set back, so that the pull began at an earlier time than the previous complete pull.
        var beganInThePast = false
        var isAudited = false
    }

    /// By class, the server time at which the last complete pull of an earlier sync began; the earliest of these times if the
    /// class has several pulls. A class without a complete pull is left out.
    let knownBefore: [String: ParseDate]
    /// The first refusal if the remote refused every pull; nil otherwise.
    var refusal: SyncError?
    private var complete: [PullId: Complete] = [:]
    /// By class, the ids of known objects that the remote did not show. A read by id must confirm that they are
    /// missing.
    private var suspects: [String: Set<String>] = [:]
    /// The classes whose objects must all be compared with the remote, because rights have changed; nil for all
    /// classes.
    private var withChangedRights: Set<String>? = []

    init(before classes: SyncClasses) {
        var knownBefore: [String: ParseDate] = [:]
        for syncClass in classes.sorted {
            knownBefore[syncClass.name] = syncClass.pulls.compactMap(\.completeSince).min()
        }
        self.knownBefore = knownBefore
    }

    /// Whether no pull was completed.
    var isEmpty: Bool { complete.isEmpty }

    func isComplete(_ pull: PullId) -> Bool { complete[pull] != nil }

    /// Whether each pull of the class is complete.
    func isComplete(_ syncClass: SyncClass) -> Bool {
        syncClass.pulls.allSatisfy { isComplete(syncClass.id(of: $0.pull)) }
    }

    func began(_ pull: PullId) -> ParseDate? { complete[pull]?.began }

    /// The earliest server time at which a completed pull of the class began; nil if no pull was completed.
    func began(of className: String) -> ParseDate? {
        complete.filter { $0.key.className == className }.map(\.value.began).min()
    }

    func beganInThePast(_ pull: PullId) -> Bool { complete[pull]?.beganInThePast == true }

    func remoteCount(_ pull: PullId) -> Int? { complete[pull]?.remoteCount }

    func isAudited(_ pull: PullId) -> Bool { complete[pull]?.isAudited == true }

    var isAnyAudited: Bool { complete.values.contains(where: \.isAudited) }

    /// Adds a completed pull.
    mutating func note(_ pull: PullId, began: ParseDate, remoteCount: Int?, beganInThePast: Bool) {
        var state = complete[pull] ?? Complete(began: began)
        state.began = began
        state.remoteCount = remoteCount
        state.beganInThePast = state.beganInThePast || beganInThePast
        complete[pull] = state
    }

    /// Records that the pull was audited.
    /// - Parameter remoteCount: the number of remote objects that the audit has listed.
    mutating func noteAudited(_ pull: PullId, remoteCount: Int) {
        complete[pull]?.remoteCount = remoteCount
        complete[pull]?.isAudited = true
    }

    // MARK: Findings of the watch

    mutating func noteSuspects(_ objectIds: some Sequence<String>, of className: String) {
        suspects[className, default: []].formUnion(objectIds)
    }

    func suspects(of className: String) -> Set<String> { suspects[className] ?? [] }

    /// Records that rights have changed, so that all objects must be compared with the remote.
    /// - Parameter className: the class; nil for all classes.
    mutating func noteChangedRights(in className: String?) {
        if let className { withChangedRights?.insert(className) } else { withChangedRights = nil }
    }

    func haveRightsChanged(in className: String) -> Bool { withChangedRights?.contains(className) ?? true }

    // MARK: Incomplete pulls

    /// Removes the pulls of the classes from the completed pulls.
    mutating func forget(_ classNames: Set<String>) {
        complete = complete.filter { !classNames.contains($0.key.className) }
    }
}
