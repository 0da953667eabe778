import ParseModel
import RemoteService
import SyncModel

/// Settling: what the remote's answers make of the entries that were sent.
extension SyncRun {
    /// How often a change is rebased and sent anew in one sync, where the remote has moved on each time.
    private static let overtakenMax = 5

    mutating func settle(
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
                settlements.append((entry, .unknown(reason: error.message, at: latestServerTime)))
                ending = ending ?? error
            }
        }
        try await settle(settlements)
        try await rebaseOvertaken()
        try await removeVanished()
        ending = ending ?? lostConnection(outcomes)
        if let ending { throw ending }
    }

    /// One request that breaks its connection may be to blame for that itself; two in a row are not.
    private mutating func lostConnection(_ outcomes: [PushOutcome]) -> SyncError? {
        var reason: String?
        for outcome in outcomes {
            guard case .unknown(let lost, isInterrupted: true, _) = outcome else {
                interruptions = 0
                return nil
            }
            reason = lost
        }
        interruptions += 1
        return interruptions > 1 ? reason.map { .offline(reason: $0, retryAfter: nil) } : nil
    }

    private mutating func settlement(
        of entry: OutboxEntry, _ outcome: PushOutcome, wasAttempted: Bool
    ) async throws(SyncError) -> Settlement {
        switch outcome {
        case .applied(let acknowledgement):
            try await noteTaken(entry)
            return .acknowledged(acknowledgement)
        case .unknown(let reason, _, let code):
            return .unknown(reason: reason, at: latestServerTime, code: code)
        case .conflict: return .notExecuted(wasAttempted: wasAttempted, error: "changed remotely meanwhile")
        case .unauthorized(let message): return .notExecuted(wasAttempted: wasAttempted, error: message)
        case .retry(_, let reason): return .notExecuted(wasAttempted: wasAttempted, error: reason)
        case .duplicate(let message):
            guard entry.step.kind == .create else {
                return .rejected(code: ParseError.Code.duplicateValue.rawValue, message: message)
            }
            if let record = try await fetch(entry) {
                if ProofRules.holds(record, what: entry) { return .proven(record) }
                if wasAttempted {
                    switch operationIds.sentCreate(entry).verdict(on: record) {
                    case .own: return .proven(record)
                    case .unprovable: return .conflict(.ambiguousCreate, remote: record)
                    case .foreign: break
                    }
                }
                // Somebody else was faster to make the object again: what was done here goes on top of theirs.
                overtaking.append((entry, record))
                return .notExecuted(wasAttempted: false, error: message)
            }
            if wasAttempted, !entry.step.mayBeTaken, entry.hidesItself {
                return .acknowledged(
                    Acknowledgement(objectId: entry.objectId, createdAt: nil, updatedAt: nil, echoed: JSONObject()))
            }
            return .rejected(
                code: ParseError.Code.duplicateValue.rawValue, message: message, wasAttempted: wasAttempted)
        case .gone(let message): return try await settlementOfGone(entry, message, wasAttempted: wasAttempted)
        case .refused(let code, let message):
            if entry.step.kind == .create, code == ParseError.Code.invalidFieldName.rawValue,
                try await chosenIdsWereSwitchedOff(askingFor: entry)
            {
                return .notExecuted(wasAttempted: wasAttempted, error: message)
            }
            if let again = settlementWithoutOpField(entry, code: code, message: message, wasAttempted: wasAttempted) {
                return again
            }
            unmarked[entry.id] = nil
            return .rejected(code: code, message: message)
        }
    }

    /// 101 means deleted, hidden, or not ours to write: a look by id tells.
    private mutating func settlementOfGone(
        _ entry: OutboxEntry, _ message: String, wasAttempted: Bool
    ) async throws(SyncError) -> Settlement {
        let notFound = ParseError.Code.objectNotFound.rawValue
        if entry.step.kind == .create {
            // The row that was to be unmarked has been removed since.
            if marked.removeValue(forKey: entry.pointer) != nil {
                return .notExecuted(wasAttempted: wasAttempted, error: message)
            }
            return .rejected(code: notFound, message: message)
        }
        guard try await fetch(entry) == nil else {
            return .rejected(code: notFound, message: "\(message) (The object can be read here, but not changed.)")
        }
        // An object that was made here, never shown, and is not there does not have to be deleted.
        if entry.isUnshown, entry.base?.isPublic == true, entry.endsInDelete { return .deletionDone }
        if entry.isHidden, !(entry.step.kind == .delete && wasAttempted) {
            if entry.isFollowedByDelete { return .moot(nil) }
            return .rejected(
                code: notFound, message: "\(message) (The object is gone, or its ACL keeps it from this gateway.)")
        }
        if entry.endsInDelete { return .deletionDone }
        guard entry.base != nil else { return .rejected(code: notFound, message: message) }
        vanished.append(entry)
        return .notExecuted(wasAttempted: wasAttempted, error: message)
    }

    /// What a look by id has not found either is news to what was done to it here.
    private mutating func removeVanished() async throws(SyncError) {
        let gone = Dictionary(grouping: vanished, by: \.className)
        vanished = []
        for (className, entries) in gone.sorted(by: { $0.key < $1.key }) {
            try await remove(entries.map(\.objectId), of: className)
        }
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

    mutating func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) async throws(SyncError) {
        count(settlements)
        let tallies = try await stored { try await $0.settle(settlements, rebase: RebaseRules.rebase) }
        for (className, tally) in tallies { note(tally, of: className) }
    }

    private mutating func count(_ settlements: [(entry: OutboxEntry, Settlement)]) {
        for (entry, settlement) in settlements {
            switch settlement {
            case .acknowledged, .proven, .madeByOthers, .deletionDone: summary.note(entry.className) { $0.pushed += 1 }
            case .rejected: summary.note(entry.className) { $0.rejections += 1 }
            case .conflict: summary.note(entry.className) { $0.conflicts += 1 }
            case .notExecuted, .sendAgain, .moot, .unknown: break
            }
        }
    }
}

extension OutboxEntry {
    /// A create whose ACL keeps the object from us: that it is there, only its id tells.
    fileprivate var hidesItself: Bool {
        guard step.kind == .create, case .set(.object(let acl)) = step.operations["ACL"] else { return false }
        return acl["*"]?.object?["read"] != true
    }
}
