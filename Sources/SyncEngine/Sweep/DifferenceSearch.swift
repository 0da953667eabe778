import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Finds the objects of a pull that exist only locally or only remotely. Used if the local and remote numbers of
/// objects differ, or if the remote does not count.
///
/// Objects that exist only remotely are stored. Objects that exist only locally are reported. Objects that no longer
/// match the conditions of the pull are removed from the pull. The search divides the objects by creation time, and
/// splits ranges with different numbers until they are small enough to list.
struct DifferenceSearch {
    /// The maximum number of parts into which a range is split, and the maximum number of ranges that are split at a time.
    private static let (partsMax, rangesMax) = (16, 3)
    /// The maximum number of ranges that are listed in one batch.
    private static let listsMax = 16
    /// The maximum number of local objects, and of remote objects, in a range that is listed. A larger range is split if
    /// possible.
    private static let listedMax = 500
    /// The maximum number of pages in a list of all ids. A longer list takes more requests than splitting ranges.
    static let pagesMax = 3

    private let context: SyncContext
    private let id: PullId
    private let pull: NamedPull
    private let query: PullQuery
    private let rows: RowIntake

    init(_ context: SyncContext, _ syncClass: SyncClass, _ pull: NamedPull) {
        self.context = context
        self.pull = pull
        id = syncClass.id(of: pull)
        query = syncClass.query(of: pull, livingOnly: true)
        rows = RowIntake(context)
    }

    private var className: String { id.className }
    private var store: StoreCalls { context.store }

    /// Searches for the differences.
    /// - Parameters:
    ///   - here: the number of local objects of the pull, plus the number of skipped rows that are not stored locally.
    ///   - there: the number of remote objects; nil if the remote does not count them.
    ///   - gone: receives the objects that exist only locally.
    func run(here: Int, there: Int?, _ gone: inout MissingObjects) async throws(SyncError) {
        let largeRows = LargeRows(context)
        var rest = try await differingRanges(here: here, there: there)[...]
        let leftOut = try await largeRows.leftOut(of: id).missing
        try await largeRows.forgetGoneRows(among: leftOut, of: className)
        while !rest.isEmpty {
            let ranges = Array(rest.prefix(Self.listsMax))
            rest = rest.dropFirst(ranges.count)
            context.reporter.progress(.sweep, of: className, done: gone.ids.count)
            var (onlyThere, onlyHere) = try await compare(ranges, besides: leftOut)
            if (onlyThere + onlyHere).isEmpty { continue }
            let lookup = ObjectLookup(context)
            let (found, isBelievable): (rows: [RemoteRecord], isBelievable: Bool)
            do {
                (found, isBelievable) = try await lookup.fetchTwice(for: onlyThere + onlyHere, of: className)
            } catch {
                guard case .unusable(_, isTooMuch: true) = error else { throw error }
                onlyThere = try await largeRows.leaveOutLargeRows(onlyThere, of: id)
                onlyHere = try await largeRows.leaveOutLargeRows(onlyHere, of: id)
                (found, isBelievable) = try await lookup.fetchTwice(for: onlyThere + onlyHere, of: className)
            }
            let living = found.filter { !context.classes.isDeleted($0) }
            try await apply(living, onlyThere: onlyThere, onlyHere: onlyHere)
            let present = Set(living.map(\.objectId))
            gone.ids.formUnion(onlyHere.filter { !present.contains($0) })
            gone.areBelievable = gone.areBelievable && isBelievable
        }
    }

    private func compare(
        _ ranges: [CreatedRange], besides leftOut: Set<String>
    ) async throws(SyncError) -> (onlyThere: [String], onlyHere: [String]) {
        let lists = try await context.remote.ask { remote throws(RemoteError) in
            try await remote.allIds(of: query, created: ranges)
        }
        var (onlyThere, onlyHere): ([String], [String]) = ([], [])
        for (range, list) in zip(ranges, lists) {
            let there = Set(list)
            let here = try await store { try await $0.baseIds(of: id, created: range) }
            // Stores objects that the remote lists and the local list (`here.seen`) lacks, except skipped rows. The
            // store may know some of them as objects that the remote had acknowledged and not shown.
            onlyThere += there.subtracting(here.seen).subtracting(leftOut).sorted()
            // Only objects in `seen` can count as deleted. The remote is not expected to list the other local objects,
            // which it has never shown.
            onlyHere += here.seen.subtracting(there).sorted()
        }
        return (onlyThere, onlyHere)
    }

    /// Applies the rows of objects that exist on the remote. First stores which objects belong to the pull: the store keeps only
    /// the fields that the pulls of an object read.
    private func apply(
        _ living: [RemoteRecord], onlyThere: [String], onlyHere: [String]
    ) async throws(SyncError) {
        let present = Set(living.map(\.objectId))
        let found = try await rows.applicableRows(living, of: className)
        let fresh = Set(found.map(\.objectId))
        let (joining, leaving) = (onlyThere.filter(present.contains), onlyHere.filter(fresh.contains))
        try await store { try await $0.join(joining, id) }
        // Objects that exist and are missing in the remote's list no longer match the conditions of the pull.
        if !pull.isWholeClass { try await store { try await $0.leave(leaving, id) } }
        try await rows.apply(found, of: className)
    }

    /// Finds the ranges of creation times in which the local and remote counts differ. Splits each such range until it is small
    /// enough to list or cannot be split.
    private func differingRanges(here: Int, there: Int?) async throws(SyncError) -> [CreatedRange] {
        // All ids are listed if the remote does not count objects or has no creation times, or if the list of all ids has few pages.
        guard let there, context.remote.capabilities(of: className).hasCreationTimes,
            pages(of: max(here, there)) > Self.pagesMax
        else { return [.all] }
        var open: [CreatedRange] = [.all]
        var found: [CreatedRange] = []
        while !open.isEmpty {
            var parts: [CountedRange] = []
            for range in open.suffix(Self.rangesMax) {
                open.removeLast()
                let cut = try await store { try await $0.split(range, of: id, into: Self.partsMax) }
                if cut.count > 1 { parts += cut } else { found.append(range) }
            }
            let ranges = parts.map(\.range)
            if ranges.isEmpty { continue }
            let counts = try await context.remote.ask { remote throws(RemoteError) in
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

    /// The number of pages in a list of `count` ids.
    func pages(of count: Int) -> Int { count / max(1, context.remote.capabilities(of: className).pageSize) + 1 }
}
