import RemoteService
import StoreService
import SyncModel

/// Asks a remote with a change feed which objects were deleted. If the confirmed deletions explain the difference
/// between the local and the remote number of objects, no search (`DifferenceSearch`) is needed.
///
/// Each pull has a stored position in the feed. The first sync with equal numbers stores the end of the feed, and each
/// later use stores the position after the deletions that it read.
struct DeletionHints {
    private let context: SyncContext
    private let syncClass: SyncClass
    private let state: PullState

    init(_ context: SyncContext, _ syncClass: SyncClass, _ state: PullState) {
        self.context = context
        self.syncClass = syncClass
        self.state = state
    }

    private var id: PullId { syncClass.id(of: state.pull) }

    /// Stores the end of the feed as the pull's position, if the pull has none. Called when the numbers of local and
    /// remote objects are equal.
    /// - Parameter memory: tells whether the remote has a feed, so that a remote without one is asked only once.
    func begin(_ memory: inout EngineMemory) async throws(SyncError) {
        guard state.deletionsSince == nil, memory.hasDeletionFeed != false, let feed = context.remote.deletions,
            case .success(let end) = try await ask(feed, since: nil)
        else { return }
        memory.hasDeletionFeed = end != nil
        if let end { try await store(end.next) }
    }

    /// Reads the deletions since the stored position, and confirms those of known objects.
    /// - Parameters:
    ///   - here: the number of local objects of the pull, plus the number of skipped rows that are not stored locally.
    ///   - there: the number of remote objects; nil if the remote does not count them.
    ///   - gone: receives the confirmed deletions.
    /// - Returns: whether the confirmed deletions explain the difference of the counts. The caller stores `next` after it has removed
    ///   the objects or held their removal.
    func search(
        here: Int, there: Int?, _ gone: inout MissingObjects
    ) async throws(SyncError) -> (isExplained: Bool, next: String?) {
        // After a failure, `DifferenceSearch` finds the deletions, and the next sync reads the feed from the same
        // position.
        guard let there, let position = state.deletionsSince, let feed = context.remote.deletions,
            case .success(let answer) = try await ask(feed, since: position)
        else { return (false, nil) }
        guard let deletions = answer else {
            try await store(nil)
            return (false, nil)
        }
        let hinted = deletions.objectIds.sorted()
        let known = try await context.store { [id] in try await $0.baseIds(of: id, among: hinted) }
        if known.isEmpty { return (false, deletions.next) }
        let (found, isBelievable): (rows: [RemoteRecord], isBelievable: Bool)
        do {
            (found, isBelievable) = try await ObjectLookup(context).fetchTwice(for: known, of: syncClass.name)
        } catch {
            // The feed has named an object that still exists, and whose row is too large for an answer.
            // `DifferenceSearch` leaves such rows out.
            guard case .unusable(_, isTooMuch: true) = error else { throw error }
            return (false, deletions.next)
        }
        let living = Set(found.filter { !context.classes.isDeleted($0) }.map(\.objectId))
        let missing = known.filter { !living.contains($0) }
        gone.ids.formUnion(missing)
        gone.areBelievable = gone.areBelievable && isBelievable
        let counted = try await context.store { [id] in try await $0.listedIds(of: id, among: missing) }.count
        return (isBelievable && here - counted == there, deletions.next)
    }

    /// Stores the position in the feed from which the next sync reads.
    func store(_ position: String?) async throws(SyncError) {
        try await context.store { [id] in try await $0.setDeletionsSince(position, of: id) }
    }

    private func ask(
        _ feed: any RemoteDeletionFeed, since position: String?
    ) async throws(SyncError) -> Result<RemoteDeletions?, RemoteError> {
        let className = syncClass.name
        return try await context.remote.answer { _ throws(RemoteError) in
            try await feed.deletions(in: className, since: position)
        }
    }
}
