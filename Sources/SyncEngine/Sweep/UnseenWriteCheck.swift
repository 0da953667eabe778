import ParseModel
import RemoteService
import StoreService

/// Handles unseen writes: writes that the remote has acknowledged and does not show. Possible causes are a lagging
/// database node, an ACL that a trigger of the server has set, and a write that the server has lost. Several syncs
/// search for the write. Meanwhile the object stays in the store.
///
/// If the ACL that was sent lets this gateway read the object, each sync also reads the object by id, because lists may
/// come from a lagging node. If two reads, at least `absenceTime` apart, do not find the object, it counts as deleted.
///
/// After the search, an object that the remote has never shown counts as hidden and causes no further requests. If this
/// gateway may read the object, its removal also waits for a user's decision: the reads by id could not remove it. An
/// edited object whose row is still older counts as a sign of a restored backup (`OlderRowRules`).
struct UnseenWriteCheck {
    /// The maximum number of objects with unseen writes that one sync handles in one class.
    private static let unseenMax = 500
    /// The maximum number of objects of a class about which one sync decides after the search for their writes is over.
    /// Each decision may take a read by id.
    private static let askedMax = 20
    /// The minimum number of reads by id that must not find an object before it counts as deleted.
    private static let absencesMin = 2

    private let context: SyncContext
    private let pulled: PulledState
    private let confirmed: Set<String>
    private let rows: RowIntake
    private let lookup: ObjectLookup

    /// - Parameter confirmed: the classes that are not pulled and whose pushed objects this sync has tried to read by id.
    init(_ context: SyncContext, _ pulled: PulledState, confirmed: Set<String>) {
        self.context = context
        self.pulled = pulled
        self.confirmed = confirmed
        rows = RowIntake(context)
        lookup = ObjectLookup(context)
    }

    private var store: StoreCalls { context.store }

    /// Reads the edited objects whose remote row still lacks the edit. Runs before the sweep, because such a row
    /// postpones removals.
    func readEdited() async throws(SyncError) {
        try await forEachClass { className throws(SyncError) in
            let older = context.olderRows.unseen(of: className)
            guard isSearched(className) || !older.isEmpty else { return }
            // A pull does not show the older row of an edited object again, because its cursor has passed the row. The
            // object is therefore read by id until the edit appears or the search ends.
            let again = try await store { try await $0.unseenWrites(of: className, max: Self.unseenMax) }
                .filter { $0.standing == .acknowledged && !older.contains($0.objectId) }.map(\.objectId)
            if again.isEmpty { return }
            try await rows.apply(try await lookup.ask(for: again, of: className), of: className)
        }
    }

    /// Counts this sync as one search for each unseen write, and decides about the writes whose search is over.
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
        let unshown = objects.filter { $0.standing == .unshown }
        var looked = isSearched ? unshown.map(\.objectId) : []
        var absent: [String] = []
        if isListed(className) {
            let readable = unshown.filter { context.mayRead($0.base, of: className) }.map(\.objectId)
            let answers = try await readById(readable, of: className)
            absent = answers.absent
            // Objects that this sync has found by id, or that later syncs will read by id, do not count as searched in
            // the lists.
            looked.removeAll { readable.contains($0) && !absent.contains($0) && !answers.refused.contains($0) }
        }
        let noted = looked + older
        if !noted.isEmpty {
            try await store { try await $0.noteLooks(at: noted, of: className, at: now) }
        }
        objects = try await store { try await $0.unseenWrites(of: className, max: Self.unseenMax) }
        try await removeAbsent(objects.filter { absent.contains($0.objectId) }, of: className, at: now)
        objects = try await store { try await $0.unseenWrites(of: className, max: Self.unseenMax) }
        let circumstances = rows.circumstances
        let due = objects.filter { $0.standing == .unshown && OlderRowRules.isOver($0, circumstances) }
        for object in due.prefix(Self.askedMax) {
            try await settle(object, of: className, isListed: isListed(className))
        }
    }

    // MARK: Reads by id

    /// Reads objects by id that this gateway may read, because a lagging list may lack them. `ObjectLookup` reads the
    /// missing objects once more, together with canaries (objects that surely exist). Applies the rows of the found
    /// objects.
    /// - Returns: `absent`: the ids of the objects that no read has found. `refused`: those that the remote refuses to
    ///   read. Both lack the objects over `askedMax`.
    private func readById(
        _ objectIds: [String], of className: String
    ) async throws(SyncError) -> (absent: [String], refused: Set<String>) {
        var missing: [String] = []
        var refused: Set<String> = []
        for id in objectIds.prefix(Self.askedMax) {
            do {
                let row = try await context.remote.ask { remote throws(RemoteError) in
                    try await remote.object(className, id)
                }
                if let row, !context.classes.isDeleted(row) {
                    try await rows.apply([row], of: className)
                } else {
                    missing.append(id)
                }
            } catch .refused {
                refused.insert(id)
            }
        }
        if missing.isEmpty { return ([], refused) }
        let (found, isBelievable) = try await lookup.fetchTwice(for: missing, of: className)
        let living = found.filter { !context.classes.isDeleted($0) }
        try await rows.apply(living, of: className)
        let present = Set(living.map(\.objectId))
        return (isBelievable ? missing.filter { !present.contains($0) } : [], refused)
    }

    /// Removes those of the absent objects that at least `absencesMin` reads by id have not found, the first of them at
    /// least `absenceTime` ago.
    private func removeAbsent(
        _ absent: [KnownObject], of className: String, at now: ParseDate
    ) async throws(SyncError) {
        let open = absent.filter { $0.heldBecause == nil }
        let gone = open.filter { object in
            object.looks >= Self.absencesMin
                && object.lookedSince.map { now >= $0 + context.options.absenceTime } == true
        }.map(\.objectId)
        if gone.count < open.count { context.reporter.update { $0.absencesLeft = true } }
        if gone.isEmpty { return }
        try await RestoredBackup(context, knownBefore: pulled.knownBefore).check([className: Set(gone)])
        try await Removals(context).removeUnshown(gone, of: className)
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
        let mayBeRead = context.mayRead(object.base, of: className)
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
                if isListed, object.heldBecause == nil {
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
