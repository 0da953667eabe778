import ParseModel
import RemoteService

/// Sweep: finds objects that no longer exist remotely. After a complete pull the bases hold every remote object,
/// so equal counts mean that nothing was deleted; otherwise the ids tell, and each suspect is looked for by name.
extension SyncRun {
    mutating func sweep() async throws(SyncError) {
        guard !remote.capabilities.hasTombstones else { return }
        for className in completeClasses.sorted() {
            let here = try await stored { try await $0.baseCount(of: className) }
            if here == remoteCounts[className] {
                try await stored { try await $0.dropHeldRemoval(in: className) }
            } else {
                try await sweep(className, total: here)
            }
        }
    }

    private mutating func sweep(_ className: String, total: Int) async throws(SyncError) {
        let there = try await remoteIds(of: className, total: total)
        let here = try await stored { try await $0.baseIds(of: className) }
        let missed = there.subtracting(here.seen).subtracting(here.hidden).sorted()
        // What an ACL hides from us is not deleted.
        let suspects = here.seen.subtracting(there).sorted()
        var found: [RemoteRecord] = []
        if !(missed + suspects).isEmpty {
            found = try await asked { remote throws(RemoteError) in
                try await remote.fetch(className, objectIds: missed + suspects)
            }
        }
        let present = Set(found.map(\.objectId))
        let gone = suspects.filter { !present.contains($0) }
        // What is held back stays so until somebody decides or the objects come back, however the shares shift.
        let isHeld = try await stored { try await !$0.heldRemoval(in: className).isDisjoint(with: gone) }
        let isPlausible =
            !isHeld
            && (total < options.removalCheckMin || Double(gone.count) <= options.removalShareMax * Double(total))
        let records = found
        let tally = try await stored { store in
            try await store.apply(
                records, gone: isPlausible ? gone : [], of: className, rebase: RebaseRules.merge)
        }
        note(tally, of: className)
        if isPlausible {
            try await stored { try await $0.dropHeldRemoval(in: className) }
        } else {
            logger.warning(
                "\(gone.count) of \(total) objects of \(className) are gone remotely: held back until confirmed")
            try await stored { try await $0.holdRemoval(of: gone, in: className, total: total) }
            summary.note(className) { $0.heldBack = gone.count }
        }
    }

    private mutating func remoteIds(of className: String, total: Int) async throws(SyncError) -> Set<String> {
        var ids: Set<String> = []
        var last: String?
        while true {
            report(SyncProgress(phase: .sweep, className: className, done: ids.count, total: total))
            let after = last
            let page = try await asked { remote throws(RemoteError) in
                try await remote.objectIds(of: className, after: after)
            }
            ids.formUnion(page.objectIds)
            if page.isLast { return ids }
            last = page.objectIds.last ?? last
        }
    }
}
