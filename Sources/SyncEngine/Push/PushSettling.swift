import ParseModel
import RemoteService
import SyncModel

/// Evaluates the outcomes of a sent batch: decides about each change (its settlement), stores the decisions, and
/// performs the actions that follow from them.
struct PushSettling {
    /// The number of times that one sync applies a change to a newer remote row. After that, the change waits for the
    /// next sync.
    private static let versionConflictsMax = 5

    /// An action that follows after all settlements of the batch are stored.
    private enum FollowUp {
        /// Apply the change to the current remote row; nil if the object no longer exists.
        case rebase(on: RemoteRecord?)
        /// Remove the object, which no longer exists on the remote.
        case removal
    }

    private let context: SyncContext
    private let lookup: ObjectLookup
    private let settlements: SettlementWriter
    private var followUps: [(entry: OutboxEntry, FollowUp)] = []
    /// Whether the remote no longer accepts ids that a create chooses.
    private var refusesChosenIds = false

    init(_ context: SyncContext) {
        self.context = context
        lookup = ObjectLookup(context)
        settlements = SettlementWriter(context)
    }

    /// Stores the decisions about a batch and performs the actions that follow.
    /// - Parameter attemptedBefore: the ids of the entries that had been sent before this batch.
    /// - Throws: also if an outcome ends the push. The settlements are stored even then.
    mutating func settle(
        _ entries: [OutboxEntry], _ outcomes: [PushOutcome], attemptedBefore: Set<Int64>,
        _ progress: inout PushProgress
    ) async throws(SyncError) {
        var settled: [(entry: OutboxEntry, Settlement)] = []
        var ending: SyncError?
        for (entry, answer) in zip(entries, outcomes) {
            // If reading the object of one entry fails, the other entries are still settled.
            do {
                var outcome = answer
                var living: RemoteRecord?
                if meetsRow(entry, answer) {
                    let row = try await lookup.rows(entry.className, [entry.objectId]).first
                    // A generated id is used by this create only. A row with this id comes from the same request, which
                    // the network may have duplicated.
                    let mayBeOwn = attemptedBefore.contains(entry.id) || !entry.step.idMayBeTaken
                    if let row, mayBeOwn, hasProducedDeleted(row, entry) {
                        settled.append((entry, .proven(row)))
                        followUps.append((entry, .removal))
                        continue
                    }
                    if let row, !context.classes.isDeleted(row) {
                        living = row
                    } else {
                        outcome = await undelete(entry)
                    }
                }
                switch outcome {
                case .unauthorized(let message): ending = .unauthorized(message: message)
                case .retry(let after, let reason): ending = ending ?? .offline(reason: reason, retryAfter: after)
                default: break
                }
                let settlement = try await settlement(
                    of: entry, outcome, meets: living, wasAttempted: attemptedBefore.contains(entry.id), &progress)
                settled.append((entry, settlement))
            } catch {
                settled.append((entry, .unknown(reason: error.message, at: context.remote.latestServerTime)))
                // If a class refuses a read, the push of the other classes continues.
                if !error.isRefusal { ending = ending ?? error }
            }
        }
        for (entry, settlement) in settled {
            if case .notExecuted(_, _, .some) = settlement { continue }
            progress.refusedSince[entry.id] = nil
        }
        try await settlements.settle(settled)
        try await rebaseVersionConflicts(&progress)
        try await removeGoneObjects()
        ending = ending ?? lostConnection(outcomes, &progress)
        if let ending { throw ending }
    }

    /// Detects that the remote is unreachable: the connection broke during two batches in a row. After only one such batch, one
    /// of its requests may be the cause.
    private func lostConnection(_ outcomes: [PushOutcome], _ progress: inout PushProgress) -> SyncError? {
        var reason: String?
        for outcome in outcomes {
            guard case .unknown(let lost, isInterrupted: true, _) = outcome else {
                progress.interruptions = 0
                return nil
            }
            reason = lost
        }
        progress.interruptions += 1
        return progress.interruptions > 1 ? reason.map { .offline(reason: $0, retryAfter: nil) } : nil
    }

    // MARK: One outcome

    /// Decides about one entry by the outcome of its request.
    /// - Parameter row: the row that has the id of a refused create and is not marked as deleted; nil if it was not
    ///   read.
    private mutating func settlement(
        of entry: OutboxEntry, _ outcome: PushOutcome, meets row: RemoteRecord?, wasAttempted: Bool,
        _ progress: inout PushProgress
    ) async throws(SyncError) -> Settlement {
        switch outcome {
        case .applied(let acknowledgement):
            try await progress.opFields.noteAccepted(entry, context)
            return .acknowledged(acknowledgement)
        case .unknown(let reason, _, let code):
            return .unknown(reason: reason, at: context.remote.latestServerTime, code: code)
        case .conflict(let record):
            if let record, let proof = proof(of: entry, by: record, wasAttempted: wasAttempted) { return proof }
            try await noteVersionConflict(entry, record)
            return .notExecuted(wasAttempted: wasAttempted, error: "changed remotely in the meantime")
        case .unauthorized(let message): return .notExecuted(wasAttempted: wasAttempted, error: message)
        case .classUnauthorized(let message):
            if progress.refusedClasses.updateValue(message, forKey: entry.className) == nil {
                context.reporter.warn(
                    "Changes of \(entry.className) wait: \(SyncError.classUnauthorized(message: message))")
            }
            return .notExecuted(wasAttempted: wasAttempted, error: message)
        case .retry(_, let reason): return .notExecuted(wasAttempted: wasAttempted, error: reason)
        case .duplicate(let message):
            return try await settlementOfDuplicate(entry, message, meets: row, wasAttempted: wasAttempted)
        case .gone(let message):
            return try await settlementOfGone(entry, message, wasAttempted: wasAttempted, &progress)
        case .refused(let code, let message):
            return try await settlementOfRefused(
                entry, code: code, message, wasAttempted: wasAttempted, &progress)
        case .refusedForNow(let code, let message):
            return settlementOfTemporaryRefusal(entry, code: code, message, wasAttempted: wasAttempted, &progress)
        }
    }

    /// Decides about a change after a temporary refusal: the change is sent once more in this sync, then in later
    /// syncs. It becomes a rejection after at least `attemptsMax` attempts, and not before `temporaryRefusalTime` has
    /// passed since the first refusal.
    private func settlementOfTemporaryRefusal(
        _ entry: OutboxEntry, code: Int, _ message: String, wasAttempted: Bool, _ progress: inout PushProgress
    ) -> Settlement {
        let now = context.environment.uptime()
        let since = progress.refusedSince[entry.id] ?? now
        if entry.attempts >= context.options.attemptsMax, now - since >= context.options.temporaryRefusalTime {
            return .rejected(code: code, message: message, wasAttempted: wasAttempted)
        }
        progress.refusedSince[entry.id] = since
        if entry.attempts == 1 { progress.tried.remove(entry.id) }
        if entry.attempts == 2 {
            context.reporter.warn(
                """
                The remote refused a change of \(entry.className) \(entry.objectId), which is sent again: \(message) \
                (code \(code))
                """)
        }
        return .notExecuted(wasAttempted: wasAttempted, error: message, code: code)
    }

    /// Decides about a change that is not idempotent, after a version conflict. An earlier request of the change may
    /// have given the row its version: an earlier attempt, or the first of two requests if the network has sent the
    /// request twice.
    /// - Returns: nil if the row proves that no earlier request was executed, and if repeating the change is harmless. After the
    ///   first attempt, nil also if the row has no proof that the change was executed.
    private func proof(of entry: OutboxEntry, by record: RemoteRecord, wasAttempted: Bool) -> Settlement? {
        guard entry.step.kind == .update, !entry.step.operations.isIdempotent, !context.classes.isDeleted(record) else {
            return nil
        }
        let mark = OperationIds(context, entry.className).mark(of: entry, in: record)
        switch ProofRules.judge(entry, against: record, mark: mark) {
        case .applied: return .proven(record)
        case .unprovable: return wasAttempted ? .conflict(.wasThisApplied, remote: record) : nil
        case .notApplied, .mayBeSentAgain, .moot: return nil
        }
    }

    private mutating func noteVersionConflict(
        _ entry: OutboxEntry, _ record: RemoteRecord?
    ) async throws(SyncError) {
        var current = record
        if current == nil { current = try await fetch(entry) }
        followUps.append((entry, .rebase(on: current.flatMap { context.classes.isDeleted($0) ? nil : $0 })))
    }

    /// Decides about a change after error 137 (duplicate value): the id, or the value of a unique field, already exists
    /// on the remote.
    private mutating func settlementOfDuplicate(
        _ entry: OutboxEntry, _ message: String, meets row: RemoteRecord?, wasAttempted: Bool
    ) async throws(SyncError) -> Settlement {
        guard entry.step.kind == .create else {
            return .rejected(code: ParseError.Code.duplicateValue.rawValue, message: message)
        }
        // Uses the row that was already read: a second read could miss it, if another client deletes the row in
        // between.
        var current = row
        if current == nil { current = try await fetch(entry) }
        if let record = current {
            if ProofRules.holds(record, of: entry) { return .proven(record) }
            if wasAttempted || !entry.step.idMayBeTaken {
                switch OperationIds(context, entry.className).sentCreate(entry).verdict(on: record) {
                case .own: return .proven(record)
                case .unprovable: return .conflict(.ambiguousCreate, remote: record)
                case .foreign: break
                }
            }
            // Another client has created an object with this id first. The local change is applied to the row of that
            // object.
            followUps.append((entry, .rebase(on: record)))
            return .notExecuted(wasAttempted: false, error: message)
        }
        if wasAttempted, !entry.step.idMayBeTaken, entry.hidesItself {
            return .acknowledged(
                Acknowledgement(objectId: entry.objectId, createdAt: nil, updatedAt: nil, echoed: JSONObject()))
        }
        return .rejected(
            code: ParseError.Code.duplicateValue.rawValue, message: message, wasAttempted: wasAttempted)
    }

    /// Decides about a change after error 101 (object not found): the object is deleted, or this gateway lacks the
    /// permission to read or to change it. A read by id tells whether the object is readable.
    private mutating func settlementOfGone(
        _ entry: OutboxEntry, _ message: String, wasAttempted: Bool, _ progress: inout PushProgress
    ) async throws(SyncError) -> Settlement {
        let notFound = ParseError.Code.objectNotFound.rawValue
        if entry.step.kind == .create {
            // The create was sent as an update of the object's old row, which was marked as deleted. If the row has since been
            // removed, the next attempt is a create again.
            guard progress.markedRows.removeValue(forKey: entry.pointer) != nil else {
                return .rejected(code: notFound, message: message)
            }
            let rows = try await lookup.ask(for: [entry.objectId], of: entry.className)
            guard !rows.contains(where: { !$0.isDeleted }) else {
                return .rejected(
                    code: notFound,
                    message: Self.denied("The remote still has the object's row", message)
                )
            }
            return .notExecuted(wasAttempted: wasAttempted, error: message)
        }
        if let record = try await fetch(entry) {
            let denied = Self.denied("The object exists", message)
            guard record.state.isWritable(by: context.store.reader) else {
                return .rejected(code: notFound, message: denied)
            }
            // The ACL in the row allows the write, so the row may be outdated, and the object just deleted. A later
            // attempt shows this.
            return settlementOfTemporaryRefusal(
                entry, code: notFound, denied, wasAttempted: wasAttempted, &progress)
        }
        // This gateway may read the object, but the read by id has not found it, and the remote has never shown it. Such an object
        // does not exist, so the deletion is done.
        if entry.isUnshown, entry.endsInDelete, let base = entry.base, context.mayRead(base, of: entry.className) {
            return .deletionDone
        }
        // `UnseenWriteCheck` finds out whether the object is deleted. Meanwhile the change waits.
        if entry.isUnshown, !entry.isHidden, !entry.endsInDelete, let base = entry.base,
            context.mayRead(base, of: entry.className), context.classes[entry.className]?.stoppedBecause == nil
        {
            return .notExecuted(wasAttempted: wasAttempted, error: message)
        }
        // A user decides whether the object is removed or created again. Meanwhile the change waits, even if the remote
        // has long ceased to show the object.
        if !entry.endsInDelete, try await isRemovalHeld(entry) {
            return .notExecuted(wasAttempted: wasAttempted, error: message)
        }
        if context.mayBeInvisible(entry), !(entry.step.kind == .delete && wasAttempted) {
            if entry.isFollowedByDelete { return .moot(nil) }
            return .rejected(
                code: notFound, message: "\(message) (The object is deleted, or its ACL hides it from this gateway.)")
        }
        if entry.endsInDelete { return .deletionDone }
        guard entry.base != nil else { return .rejected(code: notFound, message: message) }
        followUps.append((entry, .removal))
        return .notExecuted(wasAttempted: wasAttempted, error: message)
    }

    /// Whether the removal of the entry's object waits for a user's decision.
    private func isRemovalHeld(_ entry: OutboxEntry) async throws(SyncError) -> Bool {
        let held = try await context.store {
            try await $0.heldRemoval(of: [entry.objectId], in: entry.className)
        }
        return !held.isEmpty
    }

    /// The message of a rejection if the object exists. The remote's own message would read as if the object were
    /// deleted.
    private static func denied(_ finding: String, _ message: String) -> String {
        "Not allowed: the author of the change may not write the object. (\(finding). The remote's answer: \(message))"
    }

    private mutating func settlementOfRefused(
        _ entry: OutboxEntry, code: Int, _ message: String, wasAttempted: Bool, _ progress: inout PushProgress
    ) async throws(SyncError) -> Settlement {
        // If the remote has refused only the id that a create chooses, or only the `opField`, the change is sent again
        // in this sync without that part.
        if entry.step.kind == .create, code == ParseError.Code.invalidFieldName.rawValue {
            // Only the first such refusal of a batch asks the remote whether it accepts chosen ids. The result holds
            // for the others.
            if !refusesChosenIds {
                refusesChosenIds = try await ChosenIds(context).wereDisabled(askingFor: entry.className)
            }
            if refusesChosenIds {
                progress.tried.remove(entry.id)
                return .notExecuted(wasAttempted: wasAttempted, error: message)
            }
        }
        if progress.opFields.isSentWithoutField(entry, code: code, message: message, context) {
            progress.tried.remove(entry.id)
            return .notExecuted(wasAttempted: wasAttempted, error: message)
        }
        return .rejected(code: code, message: message)
    }

    private func fetch(_ entry: OutboxEntry) async throws(SyncError) -> RemoteRecord? {
        try await lookup.fetch(entry.className, [entry.objectId]).first
    }

    // MARK: Deleted rows

    /// Whether the remote has refused a create because a row already has the id, and the remote can restore deleted
    /// rows.
    private func meetsRow(_ entry: OutboxEntry, _ outcome: PushOutcome) -> Bool {
        guard case .duplicate = outcome, entry.step.kind == .create else { return false }
        return context.remote.capabilities(of: entry.className).canUndelete
    }

    /// Whether an earlier request of this create has produced the row, and another client has deleted the row since.
    /// Restoring the row would undo that deletion.
    private func hasProducedDeleted(_ row: RemoteRecord, _ entry: OutboxEntry) -> Bool {
        context.classes.isDeleted(row) && OperationIds(context, entry.className).sentCreate(entry).hasProduced(row)
    }

    /// Restores the deleted row of an object that is created again.
    /// - Returns: the outcome of restoring the row.
    private func undelete(_ entry: OutboxEntry) async -> PushOutcome {
        let operation = PushOperation(
            kind: .undelete, className: entry.className, objectId: entry.objectId, operations: entry.step.operations,
            sendsObjectId: true, base: nil,
            merged: Replay.view(base: nil, steps: [entry.step], className: entry.className)?.fields,
            wasAttempted: true, requestId: entry.requestId)
        return await context.remote.push([operation]).first ?? .unknown(reason: "an empty answer")
    }

    // MARK: Follow-ups

    /// Applies each change that met a version conflict to the current remote row, and so each create whose object
    /// another client had created first. The change is then planned again in this sync, unless this has happened
    /// `versionConflictsMax` times.
    private func rebaseVersionConflicts(_ progress: inout PushProgress) async throws(SyncError) {
        for case (let entry, .rebase(let record)) in followUps {
            try await RowIntake(context).apply(
                record.map { [$0] } ?? [], gone: record == nil ? [entry.objectId] : [], of: entry.className)
            progress.versionConflicts[entry.id, default: 0] += 1
            if progress.versionConflicts[entry.id, default: 0] < Self.versionConflictsMax {
                progress.tried.remove(entry.id)
            }
        }
    }

    private func removeGoneObjects() async throws(SyncError) {
        let gone = followUps.compactMap { entry, followUp in
            if case .removal = followUp { entry } else { nil }
        }
        for (className, entries) in Dictionary(grouping: gone, by: \.className).sorted(by: { $0.key < $1.key }) {
            try await Removals(context).remove(entries.map(\.objectId), of: className)
        }
    }
}

extension OutboxEntry {
    /// Whether the create sets an ACL without public read access. This gateway may be unable to read such an object. Only the
    /// error for a duplicate id then proves that the object exists.
    fileprivate var hidesItself: Bool {
        guard step.kind == .create, case .set(.object(let acl)) = step.operations["ACL"] else { return false }
        return acl["*"]?.object?["read"] != true
    }
}
