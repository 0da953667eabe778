import ParseModel
import RemoteService
import StoreService

/// Removes local objects that no longer exist on the remote. If the removal is unusually large, or if the remote seems
/// to be a restored backup, the removal waits for a user's decision (a held removal).
struct Removals {
    private let context: SyncContext
    private let rows: RowIntake

    init(_ context: SyncContext) {
        self.context = context
        rows = RowIntake(context)
    }

    /// Whether this sync removes no objects. If a row lacks an acknowledged edit, the remote's answers lag or the
    /// remote was restored from a backup, so missing objects prove nothing. The next sync searches for missing objects
    /// again.
    var arePostponed: Bool { !context.olderRows.isRestored && !context.olderRows.classesWithUnseen.isEmpty }

    /// Removes objects, or keeps them until a user decides about the removal.
    /// - Parameters:
    ///   - missing: the ids of objects that a read by id did not find.
    ///   - isAll: whether the whole class was searched for missing objects.
    ///   - isBelievable: whether the absence of the objects is credible; see `ObjectLookup.fetchTwice`.
    func remove(
        _ missing: [String], of className: String, isAll: Bool = false, isBelievable: Bool = true
    ) async throws(SyncError) {
        if arePostponed { return try await noteHeld(of: className) }
        // An object whose create the remote has acknowledged, but which it has never shown, does not count as deleted.
        let unshown = try await context.store { try await $0.unshownIds(among: missing, of: className) }
        let gone = missing.filter { !unshown.contains($0) }
        let total = try await context.store { try await $0.baseCount(of: .allObjects(of: className)) }
        // Objects of a held removal stay until a user decides or the objects reappear, even if the removal would not be
        // unusually large now.
        let held = try await context.store { try await $0.heldRemoval(of: gone, in: className) }
        let newlyMissing = gone.filter { !held.contains($0) }
        try await hideAgain(held, of: className)
        if context.olderRows.isRestored {
            if !newlyMissing.isEmpty {
                context.logger.warning(
                    "\(className): \(newlyMissing.count.counted("object")) missing remotely; the removal waits for confirmation"
                )
                try await rows.hold(newlyMissing.map { LostObject(objectId: $0) }, of: className)
            }
            try await noteHeld(of: className)
            return
        }
        // Objects that a user can no longer read because of a lost role still exist. They do not count as deleted, so
        // their removal needs no decision.
        let roles = context.userRoles.names
        let lost: Set<String> =
            if let roles {
                try await context.store { try await $0.lostByRole(newlyMissing, of: className, still: roles) }
            } else {
                []
            }
        let deleted = newlyMissing.filter { !lost.contains($0) }
        let isPlausible = isBelievable && isPlausible(deleted.count, of: total - lost.count)
        let removed = !isBelievable ? [] : isPlausible ? newlyMissing : newlyMissing.filter(lost.contains)
        if !removed.isEmpty {
            try await context.remote.requireFullAccess()
            try await rows.apply([], gone: removed, of: className)
        }
        let unremoved = Set(newlyMissing).subtracting(removed)
        let isMore = !unremoved.isEmpty
        if isMore || isAll {
            // After a search of the whole class, only objects that are still missing stay in the held removal, which
            // waits for a decision. The other objects have reappeared, were sent again or were deleted locally.
            let all = try await context.store { try await $0.heldRemoval(in: className) }
            let holding = (isAll ? all.intersection(held) : all).union(unremoved)
            if holding.isEmpty {
                try await dropHeld(of: className)
            } else if holding != all {
                context.logger.warning(
                    "\(className): \(holding.count) of \(total.counted("object")) missing remotely; the removal waits for confirmation"
                )
                try await context.store { try await $0.holdRemoval(of: holding.sorted(), in: className, total: total) }
            }
        }
        try await noteHeld(of: className)
    }

    /// Hides objects of a held removal from clients again. These objects were deleted locally when the removal began to
    /// wait for a decision, and their deletion has since been given up.
    private func hideAgain(_ held: Set<String>, of className: String) async throws(SyncError) {
        guard !held.isEmpty, try await context.store({ $0.reader }) != nil else { return }
        try await context.store { try await $0.withhold(held.sorted(), of: className) }
    }

    /// Removes objects that the remote has acknowledged and never shown, and that two reads by id have not found. If
    /// the removal is unusually large, it waits for a user's decision.
    func removeUnshown(_ gone: [String], of className: String) async throws(SyncError) {
        if arePostponed { return }
        if context.olderRows.isRestored {
            return try await rows.hold(gone.map { LostObject(objectId: $0) }, of: className)
        }
        let shown = try await context.store { try await $0.baseCount(of: .allObjects(of: className)) }
        guard isPlausible(gone.count, of: shown + gone.count) else {
            context.logger.warning(
                "\(className): \(gone.count.counted("object")) acknowledged but missing remotely; the removal waits for confirmation"
            )
            return try await context.store { store in
                try await store.holdLost(gone.map { LostObject(objectId: $0) }, of: className, because: .neverShown)
                try await store.hide(gone, of: className)
            }
        }
        try await context.remote.requireFullAccess()
        try await rows.apply([], gone: gone, of: className)
    }

    private func isPlausible(_ count: Int, of total: Int) -> Bool {
        total < context.options.removalCheckMin || Double(count) <= context.options.removalShareMax * Double(total)
    }

    /// Cancels the removal of the class that waits for a decision because of its size. The objects stay.
    func dropHeld(of className: String) async throws(SyncError) {
        try await context.store { try await $0.dropHeldRemoval(in: className) }
    }

    /// Sets `heldBack` in the summary to the number of objects of the class whose removal waits for a decision.
    func noteHeld(of className: String) async throws(SyncError) {
        let count = try await context.store { try await $0.heldRemovalCount(in: className) }
        if count > 0 { context.reporter.update(className) { $0.heldBack = count } }
    }
}
