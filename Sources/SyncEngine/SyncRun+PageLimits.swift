import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Pages that are more than is taken in: fewer rows are asked for, down to one, and a row that is too much alone is left
/// out, so that it does not keep the rest of its class from coming.
extension SyncRun {
    /// Of how many rows at most a page of the class is asked for; nil for the remote's own size.
    func pageLimit(of className: String) -> Int? { pageLimits[className]?.rows }

    /// A page of the class was taken in.
    mutating func notePage(of className: String) {
        pageLimits[className]?.notePage()
        if let rows = pageLimit(of: className), rows >= remote.capabilities.pageSize { pageLimits[className] = nil }
    }

    /// The page in place of one that was too much.
    /// - Throws: also where it is a row that is too much even without its fields.
    mutating func pageInstead(
        of request: PullRequest, for pull: PullId, tooMuch reason: String
    ) async throws(SyncError) -> PullPage {
        let rows = request.limit ?? remote.capabilities.pageSize
        guard rows > 1 else { return try await pageWithoutLargeRow(request, of: pull, reason: reason) }
        let limit = PageLimit(halving: rows)
        pageLimits[request.className] = limit
        let smaller = request.with(limit: limit.rows)
        do throws(SyncError) {
            let page = try await asked { remote throws(RemoteError) in try await remote.pull([smaller]) }.first
            guard let page else { throw SyncError.unusable(reason: "a page is missing", isTooMuch: false) }
            return page
        } catch .unusable(let reason, isTooMuch: true) {
            return try await pageInstead(of: smaller, for: pull, tooMuch: reason)
        }
    }

    /// The row is asked for without its fields, which tells its id and its time: the pull goes on behind it.
    private mutating func pageWithoutLargeRow(
        _ request: PullRequest, of pull: PullId, reason: String
    ) async throws(SyncError) -> PullPage {
        let named = request.with(limit: 1, keys: ["objectId"])
        let page = try await asked { remote throws(RemoteError) in try await remote.pull([named]) }.first
        guard let page, case .upsert(let row)? = page.changes.first, page.changes.count == 1 else {
            throw .unusable(reason: reason, isTooMuch: true)
        }
        let skipped = SkippedRow(
            className: request.className, objectId: row.objectId, updatedAt: row.updatedAt, reason: reason)
        try await leaveOut(skipped, of: pull)
        pageLimits[request.className, default: PageLimit(halving: 2)].noteSkippedRow()
        return PullPage(
            changes: [], cursor: page.cursor, isLast: page.isLast, count: page.count, serverTime: page.serverTime)
    }

    /// The ids without those of rows that are too much alone, which are left out from now on.
    mutating func withoutLargeRows(
        _ objectIds: [String], of pull: PullId
    ) async throws(SyncError) -> [String] {
        guard !objectIds.isEmpty else { return [] }
        let answer = try await answer { remote throws(RemoteError) in
            try await remote.fetch(pull.className, objectIds: objectIds)
        }
        guard case .failure(let error) = answer else { return objectIds }
        guard case .tooMuch(let reason) = error else { throw SyncError(error) }
        guard objectIds.count == 1 else {
            let half = objectIds.count / 2
            return try await withoutLargeRows(Array(objectIds[..<half]), of: pull)
                + withoutLargeRows(Array(objectIds[half...]), of: pull)
        }
        for stamp in try await stamps(of: objectIds, in: pull.className) {
            let row = SkippedRow(
                className: pull.className, objectId: stamp.objectId, updatedAt: stamp.updatedAt, reason: reason)
            try await leaveOut(row, of: pull)
        }
        return []
    }

    private mutating func leaveOut(_ row: SkippedRow, of pull: PullId) async throws(SyncError) {
        try await stored { try await $0.noteSkipped(row, of: pull) }
        warn("\(row.className)/\(row.objectId) is left out, and was not brought up to date: \(row.reason)")
    }

    /// Ids and times of those of the objects that are there.
    private mutating func stamps(of objectIds: [String], in className: String) async throws(SyncError) -> [ObjectStamp]
    {
        let named = PullQuery(
            className: className, conditions: ["objectId": ["$in": .array(objectIds.map(JSONValue.string))]],
            keys: ["objectId"])
        return try await asked { remote throws(RemoteError) in
            try await remote.objectIds(of: named, created: .all, after: nil)
        }.stamps
    }

    /// Why the class is not pulled any further, and what to do: too many of its objects are here, or the disk is nearly full.
    func limitReached(by className: String) async throws(SyncError) -> String? {
        var objects = try await stored { try await $0.baseCount(of: .allObjects(of: className)) }
        if objects > options.classObjectsMax, let pulls = classes[className]?.pulls,
            !pulls.contains(where: \.pull.isWholeClass)
        {
            // Objects of earlier pulls leave the file only after the present ones are complete.
            objects = try await stored { try await $0.pulledCount(of: className) }
        }
        if objects > options.classObjectsMax {
            return "\(objects) of its objects are here, more than class-objects-max (\(options.classObjectsMax)). "
                + "Raise that setting, or choose by a query what is pulled."
        }
        guard let free = options.freeBytes(), free < options.diskFreeMin else { return nil }
        return "\(free) bytes are free on the disk, fewer than disk-free-min (\(options.diskFreeMin)). "
            + "Make room, or lower that setting."
    }

    /// The class is at a limit: its objects stay, and waiting changes go out as before.
    mutating func stopPulling(_ className: String, because reason: String) async throws(SyncError) {
        warn("\(className) is not pulled any further: \(reason)")
        try await setStopped(className, because: reason)
    }

    /// - Parameter reason: nil where the class is pulled again.
    mutating func setStopped(_ className: String, because reason: String?) async throws(SyncError) {
        guard classes[className]?.stoppedBecause != reason else { return }
        try await stored { try await $0.setStopped(className, because: reason) }
        classes[className]?.stoppedBecause = reason
    }

    /// Rows of the pull that were left out: all of them, and those of which no older state is here either.
    func leftOut(of pull: PullId) async throws(SyncError) -> (all: Set<String>, missing: Set<String>) {
        try await stored { try await $0.skippedIds(of: pull) }
    }

    /// Rows that were left out and are no longer there are no longer missing here.
    mutating func forgetGoneRows(among ids: Set<String>, of className: String) async throws(SyncError) {
        guard !ids.isEmpty else { return }
        let there = try await stamps(of: ids.sorted(), in: className).map(\.objectId)
        let gone = ids.subtracting(there).sorted()
        if !gone.isEmpty { try await stored { try await $0.forgetSkipped(gone, of: className) } }
    }
}

extension PullRequest {
    /// The same page with other bounds.
    /// - Parameter keys: the fields that are asked for; nil for those of the request.
    fileprivate func with(limit: Int, keys: [String]? = nil) -> PullRequest {
        var query = query
        if let keys { query = PullQuery(className: query.className, conditions: query.conditions, keys: keys) }
        return PullRequest(
            query, cursor: cursor, lookBackTo: lookBackTo, until: until, limit: limit, wantsCount: wantsCount,
            counted: counted)
    }
}
