import ParseModel
import RemoteService
import SyncModel

/// Proof: what became of requests that were sent and not answered. The remote is read, and the row tells.
extension SyncRun {
    mutating func proveUnknownOutcomes() async throws(SyncError) {
        try await noteWhatWasLeftOnItsWay()
        let entries = try await withoutTimesToCome(try await stored { try await $0.unknownOutcomes() })
        let acceptsChosenIds = try await knowsChosenIdsAccepted()
        failingCount = entries.count { $0.failure != nil }
        for (position, entry) in entries.enumerated() {
            report(SyncProgress(phase: .prove, className: entry.className, done: position, total: entries.count))
            do {
                try await prove(entry, isLookUp: entry.step.kind == .create && !acceptsChosenIds)
            } catch {
                guard error.isOfOneClass else { throw error }
                warn("What became of a change of \(entry.className) cannot be read: \(error.message)")
                // What may never be read, nobody but a person can settle.
                if case .refused = error { try await settle(entry, unreadable(entry)) }
            }
        }
    }

    private mutating func prove(_ entry: OutboxEntry, isLookUp: Bool) async throws(SyncError) {
        // What is read now is no older than this, however long the answer takes.
        let readAt = try await serverNow()
        // An object that is only marked as deleted is made again under its own id, whoever chooses ids.
        let isReadById = !isLookUp || options(of: entry.className).deletedField != nil
        let found = isReadById ? try await read(entry) : nil
        let record = found.flatMap { isDeleted($0) ? nil : $0 }
        // An older backup of the remote proves nothing of a request that was sent before it was restored.
        if let record, entry.base != nil, try await news([record], of: entry.className).isEmpty { return }
        let isLookUp = isLookUp && record == nil
        guard
            let settlement = isLookUp
                ? try await lookUp(entry, at: readAt)
                : try await judge(entry, at: readAt, found: record, tombstone: record == nil ? found : nil)
        else {
            noteFailure(of: entry)
            return
        }
        let isGone = !isLookUp && record == nil && !entry.isHidden && settlement.leavesAnObject(of: entry)
        let settled = isGone ? settlement : giveUpAfterManyAttempts(entry, settlement)
        if settled == .sendAgain { noteFailure(of: entry) }
        try await settle(entry, settled)
        // What was read is also news of the object: it becomes the base of what is sent again.
        if let record { try await applyNews([record], of: entry.className) }
        if isGone { try await remove([entry.objectId], of: entry.className) }
    }

    private mutating func settle(_ entry: OutboxEntry, _ settlement: Settlement) async throws(SyncError) {
        try await settle([(entry, settlement)])
    }

    private func unreadable(_ entry: OutboxEntry) -> Settlement {
        switch entry.step.kind {
        case .create: .conflict(.ambiguousCreate, remote: nil)
        // The deletion that follows undoes it.
        case .update where entry.isFollowedByDelete: .moot(nil)
        case .update where !entry.step.operations.isIdempotent: .conflict(.wasThisApplied, remote: nil)
        // Done twice it does no harm.
        case .update, .delete: giveUpAfterManyAttempts(entry, .sendAgain)
        }
    }

    func knowsChosenIdsAccepted() async throws(SyncError) -> Bool {
        switch remote.capabilities.chosenIds {
        case .always: true
        case .never: false
        case .dependsOnSettings: try await stored { try await $0.remoteAcceptsChosenIds() } ?? false
        }
    }

    /// The entry's row as it is there now, or what is left of it.
    private mutating func read(_ entry: OutboxEntry) async throws(SyncError) -> RemoteRecord? {
        // That a new object is not there yet is nothing to wonder at.
        entry.step.kind == .create
            ? try await askedFor([entry.objectId], of: entry.className).first
            : try await rows(entry.className, [entry.objectId]).first
    }

    /// - Parameter tombstone: what is left of a row that is not found.
    /// - Returns: nil where it is too early to tell.
    private mutating func judge(
        _ entry: OutboxEntry, at readAt: ParseDate, found record: RemoteRecord?, tombstone: RemoteRecord?
    ) async throws(SyncError) -> Settlement? {
        switch (entry.step.kind, record) {
        case (.create, let record?):
            switch operationIds.sentCreate(entry).verdict(on: record) {
            case .own: return .proven(record)
            case .foreign: return .notExecuted(wasAttempted: false, error: nil)
            case .unprovable: return .conflict(.ambiguousCreate, remote: record)
            }
        case (.create, nil):
            // What was made since we sent it was made by us, and somebody has deleted it.
            if let tombstone, let attemptedAt = entry.attemptedAt, tombstone.createdAt >= attemptedAt {
                return .proven(tombstone)
            }
            // Sending it again is safe: the id is ours, and a late arrival of the first one would be a duplicate.
            return .sendAgain
        case (.delete, nil): return entry.isHidden ? .sendAgain : .deletionDone
        case (.delete, _?): return .sendAgain
        case (.update, nil):
            if entry.isHidden { return unreadable(entry) }
            return entry.isFollowedByDelete ? .deletionDone : .sendAgain
        case (.update, let record?):
            switch ProofRules.judge(entry, against: record, mark: mark(of: entry, in: record)) {
            case .applied: return .proven(record)
            case .mayBeSentAgain: return .sendAgain
            case .notApplied:
                return graceIsOver(for: entry, at: readAt) ? .sendAgain : nil
            case .unprovable: return .conflict(.wasThisApplied, remote: record)
            case .moot: return .moot(record)
            }
        }
    }

    /// Whether the row has the id of the entry's operation; nil where the request left none.
    private func mark(of entry: OutboxEntry, in record: RemoteRecord) -> Bool? {
        entry.markedIn.map { operationIds.prove(entry, in: $0, of: record) }
    }

    /// A create without an id of ours: the objects made since then that nobody here knows, and that hold what was sent.
    private mutating func lookUp(_ entry: OutboxEntry, at readAt: ParseDate) async throws(SyncError) -> Settlement? {
        let since = (entry.attemptedAt ?? ParseDate(milliseconds: 0)) - options.overlap
        let className = entry.className
        let created = try await created(in: className, since: since)
        let standing = try await stored { try await $0.standing(of: created.map(\.objectId), for: entry) }
        if let marked = created.first(where: { mark(of: entry, in: $0) == true }) { return .proven(marked) }
        let open = created.filter { !standing.excluded.contains($0.objectId) }
        let hasMarks = entry.markedIn != nil
        var candidates = hasMarks ? [] : open.filter { ProofRules.holds($0, what: entry) }
        if candidates.count == 1, !standing.asked.contains(candidates[0].objectId) { return .proven(candidates[0]) }
        if candidates.isEmpty {
            guard graceIsOver(for: entry, at: readAt) else { return nil }
            // Others may have found it and edited it already.
            if !hasMarks { candidates = try await edited(among: open, from: entry) }
        }
        // One that no other question is about comes first.
        let ids = candidates.map(\.objectId)
        guard let shown = candidates.first(where: { !standing.asked.contains($0.objectId) }) ?? candidates.first else {
            // It has not arrived, and was deleted here since: nothing of it is left to do.
            return entry.isFollowedByDelete ? .deletionDone : .sendAgain
        }
        let others = ids.filter { $0 != shown.objectId }.prefix(Self.candidatesMax)
        return .conflict(.ambiguousCreate, remote: shown, others: Array(others))
    }

    /// How many further candidates a question names.
    static let candidatesMax = 20

    private func edited(
        among rows: [RemoteRecord], from entry: OutboxEntry
    ) async throws(SyncError) -> [RemoteRecord] {
        guard !rows.isEmpty else { return [] }
        let sample = try await stored {
            try await $0.sample(of: entry.className, besides: entry.objectId, max: CandidateRules.sampleMax)
        }
        let sent = Replay.view(base: nil, steps: [entry.step], className: entry.className)?.fields ?? JSONObject()
        return CandidateRules(sent: sent, sample: sample).candidates(among: rows)
    }

    /// The remote fails over this change again and again, and a person has to look at it: it carries out others meanwhile, or
    /// it answers reads and says itself that it failed. Where it carries out nothing and says nothing, the change is not to
    /// blame, and waits. Several changes that fail together speak of the server, and wait for longer.
    private func giveUpAfterManyAttempts(_ entry: OutboxEntry, _ settlement: Settlement) -> Settlement {
        guard settlement == .sendAgain else { return settlement }
        let takesOthers = pushedLastTime || summary.pushed > 0
        guard takesOthers || entry.failure != nil else { return settlement }
        let patience = takesOthers ? 1 : min(max(1, failingCount), Self.patienceMax)
        guard entry.attempts >= options.attemptsMax * patience else { return settlement }
        return .rejected(
            code: entry.failure?.code ?? ParseError.Code.internalServerError.rawValue,
            message: entry.failure?.message ?? "The remote failed \(entry.attempts) times to carry this out.",
            wasAttempted: entry.step.kind == .create)
    }

    /// How much longer than one change alone changes wait that fail together while nothing else is carried out.
    private static let patienceMax = 4

    /// Shows a failure that is going to be tried again.
    private mutating func noteFailure(of entry: OutboxEntry) {
        guard let failure = entry.failure else { return }
        let times = entry.attempts == 1 ? "once" : "\(entry.attempts) times"
        let change = "a change of \(entry.className) \(entry.objectId)"
        let sentence = "The remote failed \(times) on \(change): \(failure.message) (code \(failure.code))"
        summary.failing.append(sentence)
        warn(sentence)
    }
}

extension Settlement {
    /// Whether an object is left that the remote no longer has: then that is news to whatever else was done to it here.
    fileprivate func leavesAnObject(of entry: OutboxEntry) -> Bool {
        switch self {
        case .proven: true
        case .sendAgain: entry.step.kind == .update
        default: false
        }
    }
}
