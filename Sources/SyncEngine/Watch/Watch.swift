import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Evaluates the answers to the queries of a `WatchPlan`, which check whether the remote still shows known objects and
/// fields. The answers show changed roles and class permissions. A pull does not show these, because a Parse Server
/// does not change `updatedAt` for them.
struct Watch {
    /// The maximum number of objects with one ACL that are read to find out whether the user has lost the right that
    /// the ACL gave.
    private static let groupSampleMax = 20
    /// The maximum number of missing objects of a class that are read by id. If more are missing, all objects of the class are compared.
    private static let suspectsMax = 1000

    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    private var store: StoreCalls { context.store }

    // MARK: Fields

    /// Finds the classes whose remote rows have lost or gained a field compared with the local copies. They are to be
    /// pulled again from the beginning.
    /// - Returns: the names of these classes.
    func classesWithOtherFields(
        _ plan: WatchPlan, _ answers: [WatchAnswer], _ pulled: PulledState, _ memory: inout WatchMemory
    ) async throws(SyncError) -> Set<String> {
        var differing: Set<String> = []
        for (className, answer) in Self.answersOfRows(plan, answers).sorted(by: { $0.key < $1.key }) {
            memory.canaries[className]?.syncsLeft -= 1
            let rows = try await answer.rows + leftOut(by: answer, of: className, &memory)
            // Compares only rows with the `updatedAt` of their local copies. Rows of a restored backup are compared
            // too, because a decision about the backup may take long.
            let records = try await RowIntake(context).applicableRows(
                rows.filter { !context.classes.isDeleted($0) }, of: className)
            let fields = try await store { try await $0.fieldDifferences(in: records) }
            // During an incomplete pull, the kept rows may be older than the compared ones.
            guard let syncClass = context.classes[className], pulled.isComplete(syncClass) else { continue }
            let wasPulledAgain = memory.differences[className]?.latest.isEmpty == false
            let difference = memory.differences[className, default: WatchMemory.Differences()].note(
                Set(fields.lost.map { "-\($0)" } + fields.new.map { "+\($0)" }))
            if difference.isEmpty {
                let isOver = memory.canaries[className].map { $0.syncsLeft <= 0 } ?? true
                if wasPulledAgain || isOver { memory.canaries[className] = nil }
                continue
            }
            // The next sync compares the same rows again, to see whether pulling the class again has removed the
            // difference.
            differing.insert(className)
            try await store { try await $0.pullAnew(className) }
            context.logger.notice(
                "\(className) is pulled again, because its rows have other fields on the remote (- lost, + gained): \(difference.sorted().joined(separator: " "))"
            )
        }
        return differing
    }

    /// All rows of one class in the answers to the queries for whole rows.
    private struct RowsAnswer {
        var ids: Set<String> = []
        var rows: [RemoteRecord] = []
        /// The number of rows of the largest answer.
        var largest = 0
        /// The number of rows of the largest answer with fewer rows than requested.
        var shortMax = 0
    }

    private static func answersOfRows(_ plan: WatchPlan, _ answers: [WatchAnswer]) -> [String: RowsAnswer] {
        var byClass: [String: RowsAnswer] = [:]
        for case (.rows(let className, let ids), .rows(let rows)) in zip(plan.queries, answers) {
            var answer = byClass[className] ?? RowsAnswer()
            answer.ids.formUnion(ids)
            answer.rows += rows
            answer.largest = max(answer.largest, rows.count)
            if rows.count < ids.count { answer.shortMax = max(answer.shortMax, rows.count) }
            byClass[className] = answer
        }
        return byClass
    }

    /// The requested rows that the answer lacks although they exist: a remote may answer with fewer rows than
    /// requested. Later syncs then request fewer rows. If none of the missing rows exists, the next sync chooses other
    /// rows.
    private func leftOut(
        by answer: RowsAnswer, of className: String, _ memory: inout WatchMemory
    ) async throws(SyncError) -> [RemoteRecord] {
        let missing = answer.ids.subtracting(answer.rows.map(\.objectId)).sorted()
        let rowsMax = max(memory.rowsMax[className] ?? 0, answer.largest)
        memory.rowsMax[className] = rowsMax
        guard !missing.isEmpty else { return [] }
        // If another answer had more rows, the remote has no such limit, and the missing rows do not exist.
        let isLimit = answer.shortMax > 0 && answer.shortMax == rowsMax
        let found = isLimit ? try await ObjectLookup(context).ask(for: missing, of: className) : []
        if found.isEmpty {
            memory.canaries[className] = nil
        } else {
            memory.canaries[className]?.rowsMax = answer.shortMax
        }
        return found
    }

    // MARK: Objects

    /// Finds objects that the remote no longer shows, and passes them to the sweep, which decides about them. If the
    /// user's roles have changed, the sync compares all objects.
    func findLostObjects(
        _ plan: inout WatchPlan, _ answers: [WatchAnswer], _ pulled: inout PulledState, _ memory: inout WatchMemory,
        _ relations: inout RelationReading?
    ) async throws(SyncError) {
        var missing: [String: [String]] = [:]
        for (query, answer) in zip(plan.queries, answers) {
            switch (query, answer) {
            case (.roles, .roles(let roles)):
                context.userRoles.note(roles.values)
                plan.noteRoles(roles)
                if let known = plan.known.roles, known != roles { pulled.noteChangedRights(in: nil) }
            case (.stamps(let className, let ids), .stamps(let stamps)):
                try await update(stamps, of: className, pulled, &relations)
                missing[className] = try await missingObjects(ids, besides: stamps, of: className, &memory)
            case (_, .failed(let error)):
                context.logger.info("a question of the watch has no answer: \(error.description)")
                plan.postpone(query)
            default: break
            }
        }
        try await judge(missing, plan, &pulled)
        // The pull of a refused or stopped class never completes. Such a class is pulled from the beginning later, so
        // its check need not be repeated.
        let incomplete = context.classes.sorted.filter { known in
            known.isPulled && known.refusal == nil && known.stoppedBecause == nil
                && !pulled.isComplete(known)
        }
        plan.postpone(Set(incomplete.map(\.name)))
    }

    /// Reads the objects whose rows have changed without a pull showing the change.
    private func update(
        _ stamps: [ObjectStamp], of className: String, _ pulled: PulledState, _ relations: inout RelationReading?
    ) async throws(SyncError) {
        guard let syncClass = context.classes[className],
            let pull = syncClass.pulls.map(\.pull).first(where: \.isWholeClass).map(syncClass.id),
            let began = pulled.began(pull)
        else { return }
        let comparison = StampComparison(context, pull, began: began)
        let repaired = try await comparison.bringUpToDate(stamps, &relations, knownOnly: true)
        comparison.noteRepaired(repaired, by: "The check of some objects of \(className)")
    }

    /// The known objects that the answer lacks, except those that a read by id finds. A remote may answer with fewer rows
    /// than requested. Later syncs then request fewer rows.
    private func missingObjects(
        _ ids: [String], besides stamps: [ObjectStamp], of className: String, _ memory: inout WatchMemory
    ) async throws(SyncError) -> [String] {
        let shown = Set(stamps.map(\.objectId))
        let unshown = ids.filter { !shown.contains($0) }
        let known = try await store { try await $0.baseIds(of: .allObjects(of: className), among: unshown) }
        guard !known.isEmpty else {
            memory.answerLimits[className, default: WatchMemory.AnswerLimit()].note(stamps.count, isShort: false)
            return []
        }
        let objects = known.sorted().map { Pointer(className: className, objectId: $0) }
        let found = try await context.remote.ask { remote throws(RemoteError) in try await remote.fetch(objects) }
        let present = Set(found.map(\.objectId))
        memory.answerLimits[className, default: WatchMemory.AnswerLimit()].note(stamps.count, isShort: !present.isEmpty)
        return known.filter { !present.contains($0) }
    }

    private func judge(
        _ missing: [String: [String]], _ plan: WatchPlan, _ pulled: inout PulledState
    ) async throws(SyncError) {
        for (className, ids) in missing.sorted(by: { $0.key < $1.key }) where !ids.isEmpty {
            pulled.noteSuspects(ids, of: className)
            for id in ids.sorted() {
                guard let acl = plan.representatives[Pointer(className: className, objectId: id)] else { continue }
                // If the sync compares all objects of the class anyway, it need not read further objects with this ACL.
                if !pulled.haveRightsChanged(in: className) { try await judge(acl, &pulled) }
            }
        }
        for syncClass in context.classes.sorted where pulled.suspects(of: syncClass.name).count > Self.suspectsMax {
            pulled.noteChangedRights(in: syncClass.name)
        }
    }

    /// Determines whether the user has lost the right that the ACL gave, or whether only this object was deleted.
    private func judge(_ acl: Int64, _ pulled: inout PulledState) async throws(SyncError) {
        let sample = try await store { try await $0.objects(ofACL: acl, max: Self.groupSampleMax) }
        let shown = try await context.remote.ask { remote throws(RemoteError) in try await remote.fetch(sample) }
        guard shown.isEmpty else { return }
        let all = try await store { try await $0.objects(ofACL: acl, max: Self.suspectsMax + 1) }
        for (className, objects) in Dictionary(grouping: all, by: \.className) {
            if all.count > Self.suspectsMax {
                pulled.noteChangedRights(in: className)
            } else {
                pulled.noteSuspects(objects.map(\.objectId), of: className)
            }
        }
    }
}
