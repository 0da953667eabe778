import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Compares the ids and `updatedAt` of remote objects with the local copies, and reads the objects that differ.
struct StampComparison {
    private let context: SyncContext
    private let pull: PullId
    /// The server time at which the pull began.
    private let began: ParseDate

    init(_ context: SyncContext, _ pull: PullId, began: ParseDate) {
        self.context = context
        self.pull = pull
        self.began = began
    }

    /// Reads each listed object that has no local copy or whose local copy has another `updatedAt`, and applies the
    /// row. Removes objects that are marked as deleted. Leaves out objects whose rows `LargeRows` has skipped.
    /// - Parameters:
    ///   - relations: the unfinished reading of relations; nil for none. A `RelationSurvey` of this class is dropped,
    ///     because it may have missed changes of the objects.
    ///   - knownOnly: whether to leave out objects that have no local copy.
    /// - Returns: the number of objects whose changes the pull had missed.
    func bringUpToDate(
        _ stamps: [ObjectStamp], _ relations: inout RelationReading?, knownOnly: Bool = false
    ) async throws(SyncError) -> Int {
        let className = pull.className
        let ids = stamps.map(\.objectId)
        let known = try await context.store { try await $0.stamps(of: ids, in: className) }
        let differing = stamps.filter { known[$0.objectId] != $0.updatedAt }.map(\.objectId)
            .filter { !knownOnly || known[$0] != nil }
        guard !differing.isEmpty else { return 0 }
        let leftOut = try await LargeRows(context).leftOut(of: pull).all
        let wanted = differing.filter { !leftOut.contains($0) }
        if wanted.isEmpty { return 0 }
        let rows = try await read(wanted)
        let records = rows.filter { !context.classes.isDeleted($0) }
        let deleted = rows.filter(context.classes.isDeleted)
        try await context.store { try await $0.join(records.map(\.objectId), pull) }
        let applied = try await RowIntake(context).apply(records, gone: deleted.map(\.objectId), of: className)
        // An unfinished `RelationSurvey` of the class may have read the members of these objects before the objects
        // changed. Timestamps cannot show this, so the survey is dropped.
        if relations?.survey?.column.className == className { relations?.survey = nil }
        // A row that changed after the pull began, or within the overlap before that, was not missed by the pull: a
        // later pull shows it.
        return (applied + deleted).count { $0.updatedAt < began - context.options.overlap }
    }

    private func read(_ objectIds: [String]) async throws(SyncError) -> [RemoteRecord] {
        let lookup = ObjectLookup(context)
        do {
            return try await lookup.rows(pull.className, objectIds)
        } catch {
            guard case .unusable(_, isTooMuch: true) = error else { throw error }
            let readable = try await LargeRows(context).leaveOutLargeRows(objectIds, of: pull)
            return readable.isEmpty ? [] : try await lookup.rows(pull.className, readable)
        }
    }

    /// Adds the number of repaired objects (those whose changes the pulls had missed) to the summary, and logs a
    /// warning.
    /// - Parameter subject: the name of the audit, for the warning.
    func noteRepaired(_ count: Int, by subject: String) {
        guard count > 0 else { return }
        context.reporter.update(pull.className) { $0.repaired += count }
        context.reporter.warn("\(subject) found \(count.counted("object")) that no pull had updated.")
    }
}
