import ParseModel
import RemoteService

/// Push: the outbox in batches, each read anew just before it is sent, frozen on disk, sent, and settled.
extension SyncRun {
    private static let windowMin = 256
    /// How often a change is rebased and sent anew in one sync, where the remote has moved on each time.
    private static let overtakenMax = 5

    /// - Returns: the classes that something was sent of.
    mutating func push() async throws(SyncError) -> Set<String> {
        var classes: Set<String> = []
        var window = Self.windowMin
        while true {
            let limit = window + tried.count
            let waiting = try await stored { try await $0.outbox(limit: limit) }
            let entries = waiting.filter { !tried.contains($0.id) }
            switch PushPlanner.plan(entries, batchMax: remote.capabilities.batchMax) {
            case .send(let batch):
                tried.formUnion(batch.map(\.id))
                classes.formUnion(batch.map(\.className))
                try await send(batch)
                report(SyncProgress(phase: .push, className: batch[0].className, done: tried.count, total: nil))
            case .breakCycle(let entry, let fields):
                try await stored { try await $0.split(entry, deferring: fields) }
            case .nothing:
                guard waiting.count == limit else { return classes }
                window *= 2
            }
        }
    }

    private mutating func send(_ batch: [OutboxEntry]) async throws(SyncError) {
        let taken = try await refuseWhatCannotBeTaken(batch)
        let unreadable = try await rereadTargets(of: taken)
        let batch = taken.filter { !unreadable.contains($0.className) }
        guard !batch.isEmpty else { return }
        let sendsObjectId = try await chosenIdsAccepted(for: batch)
        let serverTime = try await serverNow(askingAbout: batch[0].className)
        if isHalted() { throw .halted }
        let frozen = try await stored { try await $0.freeze(batch, at: serverTime) }
        // What somebody has changed in the meantime is planned anew, in this run.
        tried.subtract(Set(batch.map(\.id)).subtracting(frozen.map(\.id)))
        guard !frozen.isEmpty else { return }
        await tidy(frozen)
        let attemptedBefore = Set(batch.lazy.filter(\.step.wasAttempted).map(\.id))
        let operations = frozen.map {
            operation($0, sendsObjectId: sendsObjectId, wasAttempted: attemptedBefore.contains($0.id))
        }
        summary.requests += 1
        let outcomes = await remote.push(operations)
        try await settle(frozen, outcomes, attemptedBefore: attemptedBefore)
    }

    /// The entry in the form in which its class wants it.
    /// - Parameter wasAttempted: before; the entry itself says so since it was frozen.
    private func operation(_ entry: OutboxEntry, sendsObjectId: Bool, wasAttempted: Bool) -> PushOperation {
        var step = entry.step
        if step.kind == .delete, let deletedField = options(of: entry.className).deletedField {
            step.kind = .update
            step.operations[deletedField] = .set(true)
        } else if let opField = opField(of: entry.className) {
            step.operations = operationIds.marked(entry, in: opField)
        }
        let kind: PushOperation.Kind =
            switch step.kind {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        let merged = Replay.view(base: entry.base, steps: [step], className: entry.className)
        return PushOperation(
            kind: kind, className: entry.className, objectId: entry.objectId, operations: step.operations,
            sendsObjectId: sendsObjectId && kind == .create,
            base: entry.base.map {
                RemoteRecord(className: entry.className, objectId: entry.objectId, state: $0)
            }, merged: merged?.fields, wasAttempted: wasAttempted, requestId: entry.requestId)
    }

    /// Where each request of an object leaves an id behind, the old ones go now and then. What becomes of that request
    /// matters little: it may be repeated, and the next one will.
    private mutating func tidy(_ entries: [OutboxEntry]) async {
        let operations = entries.compactMap { entry in
            opField(of: entry.className).flatMap {
                operationIds.tidying(entry, in: $0, requestId: environment.requestId())
            }
        }
        guard !operations.isEmpty else { return }
        summary.requests += 1
        _ = await remote.push(operations)
    }

    /// A remote that fails for ever on some values is not asked to take them.
    private mutating func refuseWhatCannotBeTaken(_ batch: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        guard remote.capabilities.values == .scalars else { return batch }
        let refused = batch.filter { $0.step.operations.hasNestedValues }
        guard !refused.isEmpty else { return batch }
        let settlements = refused.map {
            (
                entry: $0,
                Settlement.rejected(
                    code: ParseError.Code.incorrectType.rawValue,
                    message: "The remote takes neither arrays nor objects.")
            )
        }
        count(settlements)
        try await stored { try await $0.settle(settlements) }
        return batch.filter { !$0.step.operations.hasNestedValues }
    }

    /// Another device's edits since the pull are seen here, in the last moment before ours goes out. A remote that compares
    /// versions sees them itself, where we know one.
    /// - Returns: classes whose targets could not be read, and whose changes wait for a later sync.
    private mutating func rereadTargets(of batch: [OutboxEntry]) async throws(SyncError) -> Set<String> {
        let comparesVersions = remote.capabilities.hasConditionalWrites
        let unseen = batch.filter { $0.base != nil && !(comparesVersions && $0.base?.version != nil) }
        let targets = Dictionary(grouping: unseen, by: \.className)
        var unreadable: Set<String> = []
        for (className, entries) in targets.sorted(by: { $0.key < $1.key }) {
            let ids = entries.map(\.objectId)
            do {
                let records = try await fetch(className, ids)
                let present = Set(records.map(\.objectId))
                try await applyNews(records, gone: ids.filter { !present.contains($0) }, of: className)
            } catch {
                switch error {
                // What may be written and not read is sent as it is.
                case .refused: continue
                case .unusable:
                    unreadable.insert(className)
                    warn("Changes of \(className) cannot be sent: \(error.message)")
                default: throw error
                }
            }
        }
        return unreadable
    }

    private mutating func chosenIdsAccepted(for entries: [OutboxEntry]) async throws(SyncError) -> Bool {
        guard let create = entries.first(where: { $0.step.kind == .create }) else { return true }
        switch remote.capabilities.chosenIds {
        case .always: return true
        case .never: return false
        case .dependsOnSettings: break
        }
        if let known = try await stored({ try await $0.remoteAcceptsChosenIds() }) { return known }
        do {
            let className = create.className
            let accepts = try await asked { remote throws(RemoteError) in
                try await remote.acceptsChosenIds(in: className)
            }
            try await stored { try await $0.setRemoteAcceptsChosenIds(accepts) }
            return accepts
        } catch .refused {
            // The probe itself is not allowed: without a chosen id a create works everywhere.
            return false
        }
    }

    /// The server's time, from its last answer or from a new one.
    mutating func serverNow(askingAbout className: String) async throws(SyncError) -> ParseDate {
        if let now = serverClock.now(uptime: environment.uptime()) { return now }
        let pages = try await asked { remote throws(RemoteError) in
            try await remote.pull([PullRequest(className: className, cursor: nil, limit: 1)])
        }
        guard let page = pages.first else { throw .offline(reason: "an empty answer", retryAfter: nil) }
        serverClock.note(page.serverTime, uptime: environment.uptime())
        return page.serverTime
    }

    // MARK: Settling

    private mutating func settle(
        _ entries: [OutboxEntry], _ outcomes: [PushOutcome], attemptedBefore: Set<Int64>
    ) async throws(SyncError) {
        var settlements: [(entry: OutboxEntry, Settlement)] = []
        var ending: SyncError?
        for (entry, answer) in zip(entries, outcomes) {
            // What can be settled is settled also where reading about another one fails.
            do {
                let outcome = try await undelete(entry, after: answer)
                switch outcome {
                case .unauthorized(let message): ending = .unauthorized(message: message)
                case .retry(let after, let reason): ending = ending ?? .offline(reason: reason, retryAfter: after)
                default: break
                }
                if case .conflict(let record) = outcome { try await takeWhatHasOvertaken(entry, record) }
                settlements.append(
                    (entry, try await settlement(of: entry, outcome, wasAttempted: attemptedBefore.contains(entry.id))))
            } catch {
                settlements.append((entry, .unknown(reason: error.message)))
                ending = ending ?? error
            }
        }
        count(settlements)
        let settled = settlements
        try await stored { try await $0.settle(settled) }
        try await rebaseOvertaken()
        if let ending { throw ending }
    }

    private mutating func settlement(
        of entry: OutboxEntry, _ outcome: PushOutcome, wasAttempted: Bool
    ) async throws(SyncError) -> Settlement {
        switch outcome {
        case .applied(let acknowledgement): return .acknowledged(acknowledgement)
        case .unknown(let reason): return .unknown(reason: reason)
        case .conflict: return .notExecuted(wasAttempted: wasAttempted, error: "changed remotely meanwhile")
        case .unauthorized(let message): return .notExecuted(wasAttempted: wasAttempted, error: message)
        case .retry(_, let reason): return .notExecuted(wasAttempted: wasAttempted, error: reason)
        case .duplicate(let message):
            guard entry.step.kind == .create else {
                return .rejected(code: ParseError.Code.duplicateValue.rawValue, message: message)
            }
            if let record = try await fetch(entry) { return .proven(record) }
            return .rejected(code: ParseError.Code.duplicateValue.rawValue, message: message)
        case .gone: return try await settlementOfGone(entry)
        case .refused(let code, let message):
            if entry.step.kind == .create, code == ParseError.Code.invalidFieldName.rawValue,
                try await chosenIdsWereSwitchedOff(askingFor: entry)
            {
                return .notExecuted(wasAttempted: wasAttempted, error: message)
            }
            return .rejected(code: code, message: message)
        }
    }

    /// 101 means deleted, hidden, or not ours to write: a look by id tells.
    private mutating func settlementOfGone(_ entry: OutboxEntry) async throws(SyncError) -> Settlement {
        let notFound = ParseError.Code.objectNotFound.rawValue
        if entry.step.kind == .create { return .rejected(code: notFound, message: "Object not found.") }
        guard try await fetch(entry) == nil else {
            return .rejected(code: notFound, message: "The object may be read but not changed.")
        }
        return entry.step.kind == .delete || entry.isFollowedByDelete
            ? .deletionDone : .conflict(.deletedRemotely, remote: nil)
    }

    private mutating func chosenIdsWereSwitchedOff(askingFor entry: OutboxEntry) async throws(SyncError) -> Bool {
        guard try await stored({ try await $0.remoteAcceptsChosenIds() }) == true else { return false }
        let className = entry.className
        let accepts = try await asked { remote throws(RemoteError) in
            try await remote.acceptsChosenIds(in: className)
        }
        try await stored { try await $0.setRemoteAcceptsChosenIds(accepts) }
        // The entry may go out again in this run, in the form that the remote takes.
        if !accepts { tried.remove(entry.id) }
        return !accepts
    }

    mutating func fetch(_ entry: OutboxEntry) async throws(SyncError) -> RemoteRecord? {
        try await fetch(entry.className, [entry.objectId]).first
    }

    /// An object that is made again where its deleted predecessor still has the id: that one is made live again.
    /// - Returns: the outcome of that, or of the create where it is no such case.
    private mutating func undelete(
        _ entry: OutboxEntry, after outcome: PushOutcome
    ) async throws(SyncError) -> PushOutcome {
        guard case .duplicate = outcome, entry.step.kind == .create, remote.capabilities.canUndelete,
            try await fetch(entry) == nil
        else { return outcome }
        let operation = PushOperation(
            kind: .undelete, className: entry.className, objectId: entry.objectId, operations: entry.step.operations,
            sendsObjectId: true, base: nil,
            merged: Replay.view(base: nil, steps: [entry.step], className: entry.className)?.fields,
            wasAttempted: true, requestId: entry.requestId)
        summary.requests += 1
        return await remote.push([operation]).first ?? .unknown(reason: "an empty answer")
    }

    /// The remote has another row than the change was made on.
    private mutating func takeWhatHasOvertaken(
        _ entry: OutboxEntry, _ record: RemoteRecord?
    ) async throws(SyncError) {
        var current = record
        if current == nil { current = try await fetch(entry) }
        overtaking.append((entry, current.flatMap { isDeleted($0) ? nil : $0 }))
    }

    /// Such changes are rebased on that row, and planned anew where they are still changes.
    private mutating func rebaseOvertaken() async throws(SyncError) {
        let news = overtaking
        overtaking = []
        for (entry, record) in news {
            try await applyNews(
                record.map { [$0] } ?? [], gone: record == nil ? [entry.objectId] : [], of: entry.className)
            overtaken[entry.id, default: 0] += 1
            if overtaken[entry.id, default: 0] < Self.overtakenMax { tried.remove(entry.id) }
        }
    }

    mutating func count(_ settlements: [(entry: OutboxEntry, Settlement)]) {
        for (entry, settlement) in settlements {
            switch settlement {
            case .acknowledged, .proven, .deletionDone: summary.note(entry.className) { $0.pushed += 1 }
            case .rejected: summary.note(entry.className) { $0.rejections += 1 }
            case .conflict: summary.note(entry.className) { $0.conflicts += 1 }
            case .notExecuted, .sendAgain, .moot, .unknown: break
            }
        }
    }
}

extension FieldOperations {
    /// Whether it takes a remote that knows arrays or objects to carry them out.
    fileprivate var hasNestedValues: Bool {
        fields.contains { field in
            switch self[field] {
            // A date is one value, whatever Parse's JSON makes of it.
            case .set(.object(let object)): object["__type"] != "Date"
            case .set(.array), .add, .addUnique, .remove, .relation: true
            default: false
            }
        }
    }
}
