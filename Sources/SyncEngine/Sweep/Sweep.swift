import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Finds objects that no longer exist on the remote, or no longer match the conditions of a pull. After a complete
/// pull, each remote object is stored locally or recorded as skipped, so equal numbers of objects mean that no object
/// is missing on the remote. If the numbers differ, the sweep asks the remote's change feed, if it has one
/// (`DeletionHints`), and otherwise searches for the missing objects (`DifferenceSearch`). It confirms each of them by
/// a read by id. While the numbers stay unchanged, only some syncs repeat the search (`CountMismatch`).
struct Sweep {
    /// The maximum number of objects of a class that one sync reads because the user has given them an ACL that does
    /// not name the user.
    private static let givenAwayMax = 500

    /// The result of the search in one class.
    private struct Finding {
        let className: String
        var gone = MissingObjects()
        /// Whether each pull of the class was completed.
        let isPulled: Bool
        /// Whether each pull of the class had equal local and remote numbers of objects, or was searched.
        var isComplete: Bool
        var isWholeClassEqual = false
        /// Whether reads by id have found that known objects are missing. If the numbers are equal, the remote then
        /// shows as many other objects.
        var hasLostObjects = false
        var mayHaveStrays = false
        /// The new positions in the remote's change feed, to be stored after the missing objects were removed.
        var positions: [(hints: DeletionHints, next: String)] = []
    }

    private let context: SyncContext
    private let removals: Removals

    init(_ context: SyncContext) {
        self.context = context
        removals = Removals(context)
    }

    private var store: StoreCalls { context.store }

    /// Sweeps all pulled classes.
    /// - Parameters:
    ///   - comparesAll: whether all objects must be compared, because a restored backup was detected.
    ///   - pulled: the results of this sync's pulls and audits. If the sweep runs an audit, its results are added.
    ///   - memory: count mismatches of earlier syncs, and the reading of relations.
    func run(
        comparesAll: Bool, _ pulled: inout PulledState, _ memory: inout EngineMemory
    ) async throws(SyncError) {
        var findings: [Finding] = []
        for syncClass in context.classes.sorted where syncClass.isPulled {
            findings.append(try await search(syncClass, pulled, &memory))
        }
        // Missing objects of all classes are judged together: if the remote is a restored backup, objects of several
        // classes are missing.
        let gone = Dictionary(
            findings.filter { !$0.gone.ids.isEmpty && $0.gone.areBelievable }.map { ($0.className, $0.gone.ids) },
            uniquingKeysWith: { $0.union($1) })
        let backup = RestoredBackup(context, knownBefore: pulled.knownBefore)
        let unexplained = try await withoutLostByRole(gone)
        if !unexplained.isEmpty {
            try await backup.check(unexplained)
            if context.olderRows.isRestored, !pulled.isAnyAudited {
                try await Audit(context).run(always: true, &pulled, &memory.relations)
            }
        }
        for finding in findings { try await settle(finding, backup, &memory.watch) }
        if comparesAll, findings.allSatisfy({ $0.isComplete || $0.isWholeClassEqual }) {
            try await store { try await $0.setComparedAllAfterRestore() }
        }
    }

    // MARK: Search

    private func search(
        _ syncClass: SyncClass, _ pulled: PulledState, _ memory: inout EngineMemory
    ) async throws(SyncError) -> Finding {
        let ids = syncClass.pulls.map { syncClass.id(of: $0.pull) }
        let complete = ids.filter(pulled.isComplete)
        let isSubset = !syncClass.pulls.contains { $0.pull.isWholeClass }
        let isComplete = complete.count == ids.count
        // If deleted objects leave tombstones or marked rows, a pull of the whole class shows the deletions. The class
        // is then searched only after an audit, to find deletions that pulls missed, for example because the server
        // removed the tombstone first.
        let deletionsLeaveRows = deletionsLeaveRows(in: syncClass)
        let swept = isSubset || !deletionsLeaveRows ? complete : complete.filter(pulled.isAudited)
        var finding = Finding(
            className: syncClass.name, isPulled: isComplete, isComplete: swept.count == ids.count)
        finding.mayHaveStrays = isSubset && isComplete
        // A pull shows a tombstone only once. If a pending create is matched with the deleted object after that pull,
        // only a read by id shows the deletion. A pull with conditions may not show a changed object at all.
        if isComplete, isSubset || deletionsLeaveRows {
            finding.gone = try await PushedObjects(context).missing(of: syncClass.name)
        }
        if isComplete {
            let missed = try await withheld(of: syncClass.name)?.showReappeared(&memory.watch) ?? []
            try await confirm(pulled.suspects(of: syncClass.name).union(missed), &finding)
        }
        for state in syncClass.pulls where swept.contains(syncClass.id(of: state.pull)) {
            try await search(syncClass, state, pulled, &memory, &finding)
        }
        return finding
    }

    /// The objects of a class that are kept but not shown to clients; nil if the data is not that of one user.
    private func withheld(of className: String) async throws(SyncError) -> WithheldObjects? {
        try await store { $0.reader } == nil ? nil : WithheldObjects(context, of: className)
    }

    /// Reads the objects that were missing in the remote's answers to the watch (a check of known objects), and the
    /// objects to which the user has given an ACL that does not name the user.
    private func confirm(_ suspects: Set<String>, _ finding: inout Finding) async throws(SyncError) {
        let className = finding.className
        let known = try await store { try await $0.baseIds(of: .allObjects(of: className), among: suspects.sorted()) }
        let givenAway = try await store { try await $0.givenAwayIds(of: className, max: Self.givenAwayMax) }
        let ids = known + givenAway.filter { !known.contains($0) }
        guard !ids.isEmpty else { return }
        let (rows, isBelievable) = try await ObjectLookup(context).fetchTwice(for: ids, of: className)
        let present = Set(rows.map(\.objectId))
        try await RowIntake(context).apply(rows.filter { !context.classes.isDeleted($0) }, of: className)
        let missing = ids.filter { !present.contains($0) }
        finding.gone.ids.formUnion(missing)
        finding.gone.areBelievable = finding.gone.areBelievable && isBelievable
        finding.hasLostObjects = !missing.isEmpty
    }

    /// The missing objects without those that the user can no longer read because of a lost role. These objects still
    /// exist on the remote.
    private func withoutLostByRole(_ gone: [String: Set<String>]) async throws(SyncError) -> [String: Set<String>] {
        var rest: [String: Set<String>] = [:]
        guard let roles = context.userRoles.names else { return gone }
        for (className, ids) in gone {
            let lost = try await store { try await $0.lostByRole(ids.sorted(), of: className, still: roles) }
            let others = ids.subtracting(lost)
            if !others.isEmpty { rest[className] = others }
        }
        return rest
    }

    /// Whether a deleted object still has a row: a tombstone, or a row that is marked as deleted.
    private func deletionsLeaveRows(in syncClass: SyncClass) -> Bool {
        syncClass.options.deletedField != nil || context.remote.capabilities(of: syncClass.name).hasTombstones
    }

    /// The number of remote objects of a pull; nil if the remote does not count. Asks the remote if the pull has not.
    private func remoteCount(
        _ syncClass: SyncClass, _ pull: NamedPull, _ pulled: PulledState
    ) async throws(SyncError) -> Int? {
        if let count = pulled.remoteCount(syncClass.id(of: pull)) { return count }
        let capabilities = context.remote.capabilities(of: syncClass.name)
        guard capabilities.countsObjects, !capabilities.countsWithPages else { return nil }
        let query = syncClass.query(of: pull, livingOnly: true)
        return try await context.remote.ask { remote throws(RemoteError) in
            try await remote.counts(of: query, created: [.all])
        }.first ?? nil
    }

    private func search(
        _ syncClass: SyncClass, _ state: PullState, _ pulled: PulledState,
        _ memory: inout EngineMemory, _ finding: inout Finding
    ) async throws(SyncError) {
        let pull = state.pull
        let id = syncClass.id(of: pull)
        let hints = DeletionHints(context, syncClass, state)
        let there = try await remoteCount(syncClass, pull, pulled)
        // Skipped rows that are not stored locally exist only remotely. Their number is added to the local one, so that
        // the two numbers can be equal.
        let leftOut = try await LargeRows(context).leftOut(of: id).missing.count
        let here = try await store { try await $0.listedCount(of: id) } + leftOut
        if here == there, !finding.hasLostObjects {
            memory.countMismatches[id] = nil
            finding.isWholeClassEqual = finding.isWholeClassEqual || pull.isWholeClass
            return try await hints.begin(&memory)
        }
        let search = DifferenceSearch(context, syncClass, pull)
        let mismatch = CountMismatch(pull: pull, here: here, there: there).following(memory.countMismatches[id])
        // If the remote does not count, each sync lists the ids, provided that the list is short.
        let isShortList = there == nil && search.pages(of: here) <= DifferenceSearch.pagesMax
        if mismatch.isDue || pulled.isAudited(id) || isShortList || finding.hasLostObjects {
            // `here` does not count objects that clients do not see, and objects of other pulls. Their absence does not
            // explain a difference.
            let lost = finding.gone.ids.sorted()
            let counted = try await store { try await $0.listedIds(of: id, among: lost) }.count
            // If the remote does not count, the difference is explained only in a sync that does not search.
            var isExplained =
                finding.hasLostObjects
                && (there == nil
                    ? !(mismatch.isDue || isShortList || pulled.isAudited(id)) : here - counted == there)
            // A change feed lists deletions, and not objects that a user may no longer read.
            if !finding.hasLostObjects {
                let found = try await hints.search(here: here, there: there, &finding.gone)
                if let next = found.next { finding.positions.append((hints, next)) }
                isExplained = found.isExplained
            }
            if !isExplained { try await search.run(here: here, there: there, &finding.gone) }
        } else {
            finding.isComplete = false
        }
        // If removals are postponed, nothing is done about the missing objects, so the next sync searches again.
        memory.countMismatches[id] = removals.arePostponed ? nil : mismatch
    }

    // MARK: Settle

    private func settle(
        _ finding: Finding, _ backup: RestoredBackup, _ memory: inout WatchMemory
    ) async throws(SyncError) {
        let className = finding.className
        let withheld = try await withheld(of: className)
        if finding.isPulled { try await withheld?.hide(removals.arePostponed ? finding.gone.ids : [], &memory) }
        if !finding.gone.ids.isEmpty {
            try await removals.remove(
                finding.gone.ids.sorted(), of: className, isAll: finding.isComplete && withheld == nil,
                isBelievable: finding.gone.areBelievable)
            if withheld != nil { try await backup.releaseReappeared(of: className) }
        } else if finding.isComplete || finding.isWholeClassEqual {
            // No object is missing, so objects that waited for a decision have reappeared. In a user's data,
            // `WithheldObjects` reads each of these objects itself.
            if try await withheld?.isEmpty != false { try await removals.dropHeld(of: className) }
            try await backup.releaseReappeared(of: className)
            try await removals.noteHeld(of: className)
        } else {
            try await removals.noteHeld(of: className)
        }
        if !removals.arePostponed {
            for (hints, next) in finding.positions { try await hints.store(next) }
        }
        if finding.mayHaveStrays { try await evictStrays(of: className, besides: finding.gone.ids) }
    }

    private func evictStrays(of className: String, besides missing: Set<String>) async throws(SyncError) {
        let count = try await store { try await $0.evictStrays(of: className, besides: missing) }
        if count > 0 { context.reporter.update(className) { $0.released += count } }
    }
}

/// Objects of a class that seem to be deleted on the remote.
struct MissingObjects {
    var ids: Set<String> = []
    /// Whether the absence of the objects is credible; see `ObjectLookup.fetchTwice`.
    var areBelievable = true
}
