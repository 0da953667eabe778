import ParseModel
import RemoteService
import StoreService

/// Handles unseen writes: acknowledged writes that the remote does not show. Possible causes are a lagging database node, an ACL
/// that a trigger of the server has set, and a write that the server has lost. Several syncs search for the write. Meanwhile the
/// object stays in the store.
///
/// After the search, an object that the remote has never shown counts as hidden and causes no further requests. If this gateway
/// may read the object, but a read by id does not find it, the removal of the object is also held until a user decides. An edited
/// object whose row is still older counts as a sign of a restored backup (`OlderRowRules`).
struct UnseenWrites {
    /// The maximum number of objects with unseen writes that one sync handles in one class.
    private static let unseenMax = 500
    /// The maximum number of objects that one sync decides about in one class, after the search for their writes has ended. Each
    /// decision may take a read by id.
    private static let askedMax = 20

    private let context: SyncContext
    private let pulled: PulledState
    private let confirmed: Set<String>
    private let rows: RowIntake

    /// - Parameter confirmed: the classes that are not pulled and whose pushed objects this sync has tried to read by id.
    init(_ context: SyncContext, _ pulled: PulledState, confirmed: Set<String>) {
        self.context = context
        self.pulled = pulled
        self.confirmed = confirmed
        rows = RowIntake(context)
    }

    private var store: StoreAccess { context.store }

    /// Reads the edited objects whose row is still older. Runs before the sweep: such a row postpones removals.
    func readEdited() async throws(SyncError) {
        try await forEachClass { className throws(SyncError) in
            let older = context.olderRows.unseen(of: className)
            guard isSearched(className) || !older.isEmpty else { return }
            // Pulls do not show the older rows of edited objects again, because the cursor has passed the rows. The objects are
            // therefore read by id until the edit appears or the search ends.
            let again = try await store { try await $0.unseenWrites(of: className, max: Self.unseenMax) }
                .filter { $0.standing == .acknowledged && !older.contains($0.objectId) }.map(\.objectId)
            if again.isEmpty { return }
            try await rows.apply(try await ObjectLookup(context).ask(for: again, of: className), of: className)
        }
    }

    /// Counts this sync's search for each unseen write, and decides about the writes whose search has ended.
    func settle() async throws(SyncError) {
        try await forEachClass { className throws(SyncError) in try await settle(className) }
    }

    /// Performs an action for each class with unseen writes. An error that concerns one class ends only the action of this class.
    private func forEachClass(_ action: (_ className: String) async throws(SyncError) -> Void) async throws(SyncError) {
        let classNames = try await store { try await $0.classesWithUnseenWrites() }
        for className in classNames.union(context.olderRows.classesWithUnseen).sorted() {
            do {
                try await action(className)
            } catch {
                guard error.isOfOneClass else { throw error }
                if case .unusable = error {
                    context.reporter.warn("Pushed objects of \(className) cannot be read: \(error.message)")
                }
            }
        }
    }

    private func settle(_ className: String) async throws(SyncError) {
        let older = context.olderRows.unseen(of: className).sorted()
        let isSearched = isSearched(className)
        guard isSearched || !older.isEmpty else { return }
        let now = try await context.remote.serverNow()
        var objects = try await store { try await $0.unseenWrites(of: className, max: Self.unseenMax) }
        let looked = isSearched ? objects.filter { $0.standing == .unshown }.map(\.objectId) : []
        if !looked.isEmpty || !older.isEmpty {
            try await store { try await $0.noteLooks(at: looked + older, of: className, at: now) }
        }
        objects = try await store { try await $0.unseenWrites(of: className, max: Self.unseenMax) }
        let circumstances = rows.circumstances
        let due = objects.filter { $0.standing == .unshown && OlderRowRules.isOver($0, circumstances) }
        for object in due.prefix(Self.askedMax) {
            try await settle(object, of: className, isListed: isListed(className))
        }
    }

    /// Whether this sync has looked for all unseen writes of the class, or permissions forbid listing the class, so that no pull can
    /// show its objects.
    private func isSearched(_ className: String) -> Bool {
        isListed(className) || context.classes[className]?.pulls.contains { $0.refusal != nil } == true
    }

    /// Whether this sync has looked for all unseen writes of the class: by completing every pull of the class or, in a class that
    /// is not pulled, by reads by id.
    private func isListed(_ className: String) -> Bool {
        guard let syncClass = context.classes[className], syncClass.isPulled else {
            return confirmed.contains(className)
        }
        return syncClass.pulls.allSatisfy { pulled.isComplete(syncClass.id(of: $0.pull)) }
    }

    private func settle(
        _ object: KnownObject, of className: String, isListed: Bool
    ) async throws(SyncError) {
        let mayBeRead = object.isPublic || context.remote.capabilities(of: className).seesEverything
        let id = object.objectId
        if mayBeRead {
            do {
                let row = try await context.remote.ask { remote throws(RemoteError) in
                    try await remote.object(className, id)
                }
                if let row, !context.classes.isDeleted(row) {
                    try await rows.apply([row], of: className)
                    return
                }
                if isListed {
                    context.logger.warning(
                        "\(className) \(id) was acknowledged but is missing remotely; its removal waits for confirmation"
                    )
                    try await store {
                        try await $0.holdLost([LostObject(objectId: id)], of: className, because: .neverShown)
                    }
                }
            } catch .refused {
                // A refused read by id does not prove that the object is missing.
            }
        }
        try await store { try await $0.hide([id], of: className) }
        if !mayBeRead { context.logger.info("\(className) \(id) was pushed, but its ACL hides it from this gateway") }
    }
}
