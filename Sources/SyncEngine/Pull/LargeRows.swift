import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Handles pages and rows above the size limit of an answer. The page size is halved down to one row. A single row above the
/// limit is skipped, so that the other rows of its class still arrive.
struct LargeRows {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    private var remote: RemoteReader { context.remote }

    /// Reads a smaller page in place of a page above the size limit of an answer.
    /// - Throws: also if a single row is above the limit even without its fields.
    func page(
        insteadOf request: PullRequest, for pull: PullId, reason: String
    ) async throws(SyncError) -> PullPage {
        let rows = request.limit ?? remote.capabilities(of: request.className).pageSize
        guard rows > 1 else { return try await pageWithoutLargeRow(request, of: pull, reason: reason) }
        let smaller = request.with(limit: remote.halvePage(of: request.className, from: rows))
        do throws(SyncError) {
            let page = try await remote.ask { remote throws(RemoteError) in try await remote.pull([smaller]) }.first
            guard let page else { throw SyncError.unusable(reason: "a page is missing", isTooMuch: false) }
            return page
        } catch .unusable(let reason, isTooMuch: true) {
            return try await self.page(insteadOf: smaller, for: pull, reason: reason)
        }
    }

    /// Skips a single row above the size limit of an answer. Reads only the row's id and times, so that the pull can
    /// continue after it.
    private func pageWithoutLargeRow(
        _ request: PullRequest, of pull: PullId, reason: String
    ) async throws(SyncError) -> PullPage {
        let named = request.with(limit: 1, keys: ["objectId"])
        let page = try await remote.ask { remote throws(RemoteError) in try await remote.pull([named]) }.first
        guard let page, case .upsert(let row)? = page.changes.first, page.changes.count == 1 else {
            throw .unusable(reason: reason, isTooMuch: true)
        }
        let skipped = SkippedRow(
            className: request.className, objectId: row.objectId, updatedAt: row.updatedAt, reason: reason)
        try await leaveOut(skipped, of: pull)
        remote.noteSkippedRow(of: request.className)
        return PullPage(
            changes: [], cursor: page.cursor, isLast: page.isLast, count: page.count, serverTime: page.serverTime)
    }

    /// Finds the rows above the size limit of an answer, and records them as skipped.
    /// - Returns: the ids of the objects whose rows are within the limit.
    func leaveOutLargeRows(_ objectIds: [String], of pull: PullId) async throws(SyncError) -> [String] {
        guard !objectIds.isEmpty else { return [] }
        let answer = try await remote.answer { remote throws(RemoteError) in
            try await remote.fetch(pull.className, objectIds: objectIds)
        }
        guard case .failure(let error) = answer else { return objectIds }
        guard case .tooMuch(let reason) = error else { throw SyncError(error) }
        guard objectIds.count == 1 else {
            let half = objectIds.count / 2
            return try await leaveOutLargeRows(Array(objectIds[..<half]), of: pull)
                + leaveOutLargeRows(Array(objectIds[half...]), of: pull)
        }
        for stamp in try await stamps(of: objectIds, in: pull.className) {
            let row = SkippedRow(
                className: pull.className, objectId: stamp.objectId, updatedAt: stamp.updatedAt, reason: reason)
            try await leaveOut(row, of: pull)
        }
        return []
    }

    private func leaveOut(_ row: SkippedRow, of pull: PullId) async throws(SyncError) {
        try await context.store { try await $0.noteSkipped(row, of: pull) }
        context.reporter.warn(
            "\(row.className)/\(row.objectId) was skipped and may be outdated: \(row.reason)")
    }

    /// Reads the ids and `updatedAt` of the given objects. Objects that the remote does not have are left out.
    private func stamps(of objectIds: [String], in className: String) async throws(SyncError) -> [ObjectStamp] {
        let named = PullQuery(
            className: className, conditions: ["objectId": ["$in": .array(objectIds.map(JSONValue.string))]],
            keys: ["objectId"])
        return try await remote.ask { remote throws(RemoteError) in
            try await remote.objectIds(of: named, created: .all, after: nil)
        }.stamps
    }

    /// The object ids of the pull's skipped rows: `all` of them, and the `missing` ones, whose objects are not stored
    /// locally.
    func leftOut(of pull: PullId) async throws(SyncError) -> (all: Set<String>, missing: Set<String>) {
        try await context.store { try await $0.skippedIds(of: pull) }
    }

    /// Deletes the records of skipped rows that no longer exist on the remote.
    func forgetGoneRows(among ids: Set<String>, of className: String) async throws(SyncError) {
        guard !ids.isEmpty else { return }
        let there = try await stamps(of: ids.sorted(), in: className).map(\.objectId)
        let gone = ids.subtracting(there).sorted()
        if !gone.isEmpty { try await context.store { try await $0.forgetSkipped(gone, of: className) } }
    }
}

extension PullRequest {
    /// The request with another limit, and with other fields if `keys` is set.
    /// - Parameter keys: the fields to read; nil to keep the fields of the request.
    fileprivate func with(limit: Int, keys: [String]? = nil) -> PullRequest {
        var query = query
        if let keys { query = PullQuery(className: query.className, conditions: query.conditions, keys: keys) }
        return PullRequest(
            query, cursor: cursor, lookBackTo: lookBackTo, until: until, limit: limit, wantsCount: wantsCount,
            counted: counted)
    }
}
