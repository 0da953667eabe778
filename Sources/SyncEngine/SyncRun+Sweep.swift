import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Sweep: finds objects that no longer exist remotely, or no longer belong to a subset. After a complete pull the bases
/// hold every remote object, so equal counts mean that nothing is gone. Where they differ, so do the counts of some range
/// of creation times, which is looked for; and each suspect is then looked for by name.
extension SyncRun {
    /// In how many parts a range is cut whose counts differ, and how many such ranges are looked at together: one batch asks
    /// for all of the parts.
    private static let (partsMax, rangesMax) = (16, 3)
    /// So many ranges are listed together.
    private static let listsMax = 16
    /// A range of so few objects is listed: counting its parts takes as long.
    private static let listedMax = 500
    /// So many pages of ids are fewer requests than looking for the range.
    private static let pagesMax = 3

    mutating func sweep() async throws(SyncError) {
        var findings: [Finding] = []
        for syncClass in classes.values.sorted(by: { $0.name < $1.name }) where syncClass.isPulled {
            let ids = syncClass.pulls.map { syncClass.id(of: $0.pull) }
            let isSubset = !syncClass.pulls.contains { $0.pull.isWholeClass }
            let isComplete = ids.allSatisfy { completePulls[$0] != nil }
            if isSubset, isComplete { try await confirmPushed(of: syncClass.name) }
            let complete = ids.filter { completePulls[$0] != nil }
            var finding = try await search(
                syncClass, isSubset ? complete : complete.filter { isSwept($0, syncClass.options) })
            finding.mayHaveStrays = isSubset && isComplete
            findings.append(finding)
        }
        // Missing objects are judged together: a restored backup lacks objects of all classes.
        let gone = Dictionary(
            findings.filter { !$0.gone.ids.isEmpty && $0.gone.areBelievable }.map { ($0.className, $0.gone.ids) },
            uniquingKeysWith: { $0.union($1) })
        if !gone.isEmpty {
            try await lookForRestoredBackup(gone)
            if isRestored, auditedPulls.isEmpty { try await audit(always: true) }
        }
        for finding in findings { try await settle(finding) }
        if comparesAll, findings.allSatisfy({ $0.isComplete || $0.isWholeClassEqual }) {
            try await stored { try await $0.setComparedAllAfterRestore() }
        }
    }

    /// The result of searching a class.
    private struct Finding {
        let className: String
        var gone = Suspects()
        /// The whole class was searched for missing objects.
        var isComplete: Bool
        var isWholeClassEqual = false
        var mayHaveStrays = false
    }

    private mutating func settle(_ finding: Finding) async throws(SyncError) {
        let className = finding.className
        if !finding.gone.ids.isEmpty {
            try await remove(
                finding.gone.ids.sorted(), of: className, isAll: finding.isComplete,
                isBelievable: finding.gone.areBelievable)
        } else if finding.isComplete || finding.isWholeClassEqual {
            try await stored { try await $0.dropHeldRemoval(in: className) }
            // Where counts are equal, lost objects may be there again.
            try await lookForLost(of: className)
            try await noteHeldRemoval(of: className)
        } else {
            try await noteHeldRemoval(of: className)
        }
        if finding.mayHaveStrays { try await evictStrays(of: className) }
    }

    /// A tombstone tells of a deletion, but nothing tells that an object has left a subset.
    private func isSwept(_ pull: PullId, _ options: ClassOptions) -> Bool {
        // A mark is no more than a change, and one may have slipped through.
        if options.deletedField != nil { return auditedPulls.contains(pull) }
        return !remote.capabilities.hasTombstones
    }

    private mutating func search(_ syncClass: SyncClass, _ pulls: [PullId]) async throws(SyncError) -> Finding {
        var finding = Finding(className: syncClass.name, isComplete: pulls.count == syncClass.pulls.count)
        for state in syncClass.pulls {
            let id = syncClass.id(of: state.pull)
            guard pulls.contains(id) else { continue }
            // A row that was left out is missing here, and nothing is gone.
            let here =
                try await stored { try await $0.baseCount(of: id) } + leftOut(of: id).missing.count
            if here == remoteCounts[id] {
                openDifferences[id] = nil
                finding.isWholeClassEqual = finding.isWholeClassEqual || state.pull.isWholeClass
                continue
            }
            let difference = OpenDifference(pull: state.pull, here: here, there: remoteCounts[id])
                .following(openDifferences[id])
            if difference.isDue || auditedPulls.contains(id) || isShortList(difference) {
                try await findDifferences(id, syncClass, state.pull, total: here, &finding.gone)
            } else {
                finding.isComplete = false
            }
            openDifferences[id] = difference
        }
        return finding
    }

    /// Where nobody may count, a list of few pages is read in each sync.
    private func isShortList(_ difference: OpenDifference) -> Bool {
        difference.there == nil && pages(of: difference.here) <= Self.pagesMax
    }

    private func pages(of count: Int) -> Int { count / max(1, remote.capabilities.pageSize) + 1 }

    // MARK: Finding

    /// What seems gone, and whether the remote has shown anything of what it had.
    private struct Suspects {
        var ids: Set<String> = []
        var areBelievable = true
    }

    /// Brings what is there and not here, lets go what has left the subset, and finds what is gone.
    private mutating func findDifferences(
        _ id: PullId, _ syncClass: SyncClass, _ pull: NamedPull, total: Int, _ gone: inout Suspects
    ) async throws(SyncError) {
        let query = syncClass.query(of: pull, livingOnly: true)
        var rest = try await differingRanges(id, query, total: total)[...]
        let leftOut = try await leftOut(of: id).missing
        try await forgetGoneRows(among: leftOut, of: id.className)
        while !rest.isEmpty {
            let ranges = Array(rest.prefix(Self.listsMax))
            rest = rest.dropFirst(ranges.count)
            report(SyncProgress(phase: .sweep, className: id.className, done: gone.ids.count, total: nil))
            let lists = try await asked { remote throws(RemoteError) in
                try await remote.allIds(of: query, created: ranges)
            }
            var (missed, suspects): ([String], [String]) = ([], [])
            for (range, list) in zip(ranges, lists) {
                let there = Set(list)
                let here = try await stored { try await $0.baseIds(of: id, created: range) }
                // Objects that were hidden so far, or not shown yet, are here and not seen.
                missed += there.subtracting(here.seen).subtracting(leftOut).sorted()
                // An object that was never shown, or that an ACL hides from us, is not deleted.
                suspects += here.seen.subtracting(there).sorted()
            }
            if (missed + suspects).isEmpty { continue }
            let (rows, isBelievable): (rows: [RemoteRecord], isBelievable: Bool)
            do {
                (rows, isBelievable) = try await look(for: missed + suspects, of: id.className)
            } catch {
                guard case .unusable(_, isTooMuch: true) = error else { throw error }
                missed = try await withoutLargeRows(missed, of: id)
                suspects = try await withoutLargeRows(suspects, of: id)
                (rows, isBelievable) = try await look(for: missed + suspects, of: id.className)
            }
            let living = rows.filter { !isDeleted($0) }
            let present = Set(living.map(\.objectId))
            let found = try await news(living, of: id.className)
            let fresh = Set(found.map(\.objectId))
            // Which of its fields are kept depends on the pulls that an object belongs to.
            let (joining, leaving) = (missed.filter(present.contains), suspects.filter(fresh.contains))
            try await stored { try await $0.join(joining, id) }
            if !pull.isWholeClass {
                // These are there, and no longer in the subset.
                try await stored { try await $0.leave(leaving, id) }
            }
            try await applyNews(found, of: id.className)
            gone.ids.formUnion(suspects.filter { !present.contains($0) })
            gone.areBelievable = gone.areBelievable && isBelievable
        }
    }

    /// Ranges of creation times whose counts differ, small enough to list.
    private mutating func differingRanges(
        _ id: PullId, _ query: PullQuery, total: Int
    ) async throws(SyncError) -> [CreatedRange] {
        // Where counting is not allowed, there is only the list.
        guard let there = remoteCounts[id], pages(of: max(total, there)) > Self.pagesMax else { return [.all] }
        var open: [CreatedRange] = [.all]
        var found: [CreatedRange] = []
        while !open.isEmpty {
            var parts: [CountedRange] = []
            for range in open.suffix(Self.rangesMax) {
                open.removeLast()
                let cut = try await stored { try await $0.split(range, of: id, into: Self.partsMax) }
                if cut.count > 1 { parts += cut } else { found.append(range) }
            }
            let ranges = parts.map(\.range)
            if ranges.isEmpty { continue }
            let counts = try await asked { remote throws(RemoteError) in
                try await remote.counts(of: query, created: ranges)
            }
            for (part, there) in zip(parts, counts) where part.count != there {
                if max(part.count, there ?? 0) <= Self.listedMax {
                    found.append(part.range)
                } else {
                    open.append(part.range)
                }
            }
        }
        return found
    }

    // MARK: Removing

    /// - Parameters:
    ///   - gone: objects that were looked for by name and are not there.
    ///   - isAll: the whole class was searched for what is gone.
    ///   - isBelievable: the remote has shown anything at all of what it had.
    mutating func remove(
        _ gone: [String], of className: String, isAll: Bool = false, isBelievable: Bool = true
    ) async throws(SyncError) {
        // An object that the remote has acknowledged and never shown is not deleted.
        let unshown = try await stored { try await $0.unshownIds(among: gone, of: className) }
        let gone = gone.filter { !unshown.contains($0) }
        let total = try await stored { try await $0.baseCount(of: .allObjects(of: className)) }
        // What is held back stays so until somebody decides or the objects come back, however the shares shift.
        let held = try await stored { try await $0.heldRemoval(of: gone, in: className) }
        let news = gone.filter { !held.contains($0) }
        if isRestored {
            if !news.isEmpty {
                logger.warning("\(className): \(news.count.counted("object")) gone remotely, held back until confirmed")
                try await holdAsLost(news.map { LostObject(objectId: $0) }, of: className)
            }
            try await noteHeldRemoval(of: className)
            return
        }
        let isPlausible =
            isBelievable
            && (total < options.removalCheckMin || Double(news.count) <= options.removalShareMax * Double(total))
        if isPlausible, !news.isEmpty { try await applyNews([], gone: news, of: className) }
        let isMore = !isPlausible && !news.isEmpty
        if isMore || isAll {
            // Some of it may have been sent again, or deleted here, since.
            let all = try await stored { try await $0.heldRemoval(in: className) }
            let holding = (isAll ? all.intersection(held) : all).union(isMore ? news : [])
            if holding.isEmpty {
                try await stored { try await $0.dropHeldRemoval(in: className) }
            } else if holding != all {
                logger.warning(
                    "\(className): \(holding.count) of \(total.counted("object")) gone remotely, held back until confirmed"
                )
                try await stored { try await $0.holdRemoval(of: holding.sorted(), in: className, total: total) }
            }
        }
        try await noteHeldRemoval(of: className)
    }

    private mutating func noteHeldRemoval(of className: String) async throws(SyncError) {
        let count = try await stored { try await $0.heldRemovalCount(in: className) }
        if count > 0 { summary.note(className) { $0.heldBack = count } }
    }

    private mutating func evictStrays(of className: String) async throws(SyncError) {
        let count = try await stored { try await $0.evictStrays(of: className) }
        if count > 0 { summary.note(className) { $0.released += count } }
    }

    /// What was pushed and lies outside of all pulls is read by name, so that others' edits are told from our own.
    mutating func confirmPushed(of classNames: Set<String>) async throws(SyncError) {
        for className in classNames.sorted() {
            do {
                try await confirmPushed(of: className)
            } catch {
                guard error.isOfOneClass else { throw error }
                // There are classes that one may write to and not read; an answer that cannot be used is another matter.
                if error.isUnusable { warn("Objects of \(className) that were sent cannot be read: \(error.message)") }
            }
        }
    }

    private mutating func confirmPushed(of className: String) async throws(SyncError) {
        let ids = try await stored { try await $0.provisionalIds(of: className) }
        confirmedClasses.insert(className)
        guard !ids.isEmpty else { return }
        let found = try await fetch(className, ids)
        let present = Set(found.map(\.objectId))
        try await applyNews(found, of: className)
        let gone = ids.filter { !present.contains($0) }
        if !gone.isEmpty { try await remove(gone, of: className) }
    }
}
