import ParseModel
import SyncModel

/// One object, its remote, and every event that can happen to either. Writes set field `a` and increment field `b`.
struct ShortLife: Hashable {
    enum Happening: String, CaseIterable {
        // A local client
        case create, edit, count, delete
        // A local client that wants the change on the remote or nowhere
        case createOnce, countOnce, deleteOnce
        // Another client of the remote
        case remoteCreate, remoteEdit, remoteDelete
        // The engine
        case pull, send, acknowledge, loseReply, loseRequest, refuse, refuseConnection, prove
        // A user
        case keepLocal, keepRemote, retry, giveUp, undo
    }

    /// The object on the remote.
    struct Row: Hashable {
        var a: Int?
        var b: Int
        var createdAt: Int64
        var updatedAt: Int64
    }

    /// The initial state of the object.
    enum Beginning: Hashable, CaseIterable {
        /// The object exists on both sides.
        case known
        /// The object exists on no side. This gateway generates its id.
        case new
        /// The object exists on no side. Its client-chosen id may also be chosen by another client.
        case chosen
    }

    let policy: ConflictPolicy
    private let beginning: Beginning
    private(set) var life: ObjectLife
    private(set) var row: Row?
    private var now: Int64 = 1000
    private var seq: Int64 = 0
    /// The number of the pending change (step) whose latest request the remote has executed.
    private var executedSeq: Int64?
    /// Pending changes as they were sent in requests without an answer, by their numbers. The remote may have executed
    /// them.
    private var unanswered: [Int64: PendingStep] = [:]
    private var isExecuted: Bool { executedSeq != nil && life.steps.first?.seq == executedSeq }

    // MARK: Accounting
    private(set) var countsMade = 0
    private(set) var countsExecuted = 0
    private var countsGivenUp = 0
    /// The acknowledged values of `a` that neither a later value nor a decision has replaced yet.
    private(set) var open: Set<Int> = []
    private var valuesMade = 0
    /// The transitions of the latest event.
    private(set) var transitions: Set<StepTable.Transition> = []

    init(policy: ConflictPolicy, beginning: Beginning) {
        self.policy = policy
        self.beginning = beginning
        life = ObjectLife(className: "Holiday", objectId: "x")
        guard beginning == .known else { return }
        row = Row(a: 1, b: 0, createdAt: 1, updatedAt: 1)
        life.base = row?.state
        life.replay()
    }

    /// - Returns: the invariant violations; nil if the event cannot happen in this state.
    mutating func happens(_ happening: Happening) -> [String]? {
        now += 1000
        transitions = []
        let first = life.steps.first
        let isSent = first?.step.phase == .inFlight
        switch happening {
        case .create:
            guard life.isOver, row == nil, valuesMade == 0 else { return nil }
            return take(
                .created(
                    FieldOperations(stored: ["a": number(nextValue()), "b": 0]), hasChosenId: beginning == .chosen))
        case .edit:
            guard life.view != nil else { return nil }
            return take(.edited(FieldOperations(stored: ["a": number(nextValue())]), stale: nil))
        case .count:
            guard life.view != nil else { return nil }
            countsMade += 1
            return take(.edited(FieldOperations(stored: ["b": ["__op": "Increment", "amount": 1]]), stale: nil))
        case .delete:
            guard life.view != nil else { return nil }
            // A deletion is a decision against every earlier value.
            open = []
            return take(.deleted(stale: nil), isDecision: true)
        case .createOnce:
            guard life.isOver, row == nil, valuesMade == 0 else { return nil }
            return beginOnce(.create, ["b": 0])
        case .countOnce:
            guard life.view != nil, life.steps.isEmpty else { return nil }
            countsMade += 1
            return beginOnce(.update, ["b": ["__op": "Increment", "amount": 1]])
        case .deleteOnce:
            guard life.view != nil, life.steps.isEmpty else { return nil }
            return beginOnce(.delete, [:])
        case .remoteCreate:
            guard row == nil, beginning == .chosen else { return nil }
            row = Row(a: 900, b: 0, createdAt: now, updatedAt: now)
            return []
        case .remoteEdit:
            guard row != nil else { return nil }
            row?.a = 500 + Int(now)
            row?.updatedAt = now
            return []
        case .remoteDelete:
            guard row != nil else { return nil }
            row = nil
            return []
        case .pull: return take(row.map { .row($0.record) } ?? .absent)
        case .send:
            guard let first, first.step.phase == .pending else { return nil }
            executedSeq = nil
            return take(.chosen(entry, serverTime: time))
        case .acknowledge:
            guard isSent else { return nil }
            return take(.settled(entry, execute()))
        case .loseReply, .loseRequest:
            guard isSent else { return nil }
            if happening == .loseReply { _ = execute() }
            unanswered[entry.id] = entry.step
            return take(.settled(entry, .unknown(reason: "time-out", at: time)))
        case .refuse:
            guard isSent else { return nil }
            return settle(.rejected(code: 142, message: "no"))
        case .refuseConnection:
            guard isSent else { return nil }
            return settle(.notExecuted(wasAttempted: entry.attempts > 1, error: "refused"))
        case .prove:
            guard first?.step.phase == .unknown else { return nil }
            return prove()
        case .keepLocal: return decide(keepsLocal: true)
        case .keepRemote: return decide(keepsLocal: false)
        case .retry:
            guard let refused = life.steps.first(where: { $0.step.phase == .rejected })?.seq else { return nil }
            return take(.retried(seq: refused, nil))
        case .giveUp:
            guard let refused = life.steps.first(where: { $0.step.phase == .rejected })?.seq else { return nil }
            return take(.givenUp(seq: refused), isDecision: true)
        case .undo:
            guard let last = life.steps.last, last.step.phase == .pending, !last.step.wasAttempted, let seq = last.seq
            else { return nil }
            return take(.undone(seq: seq), isDecision: true)
        }
    }

    /// Clears `transitions`, so that equal states that were reached on different paths compare as equal.
    mutating func forgetTransitions() { transitions = [] }

    /// Applies a rare event that no `Happening` produces.
    /// - Returns: the invariant violations; nil if the object refuses the event.
    mutating func meets(_ event: LifeEvent, _ change: (inout LifeContext) -> Void = { _ in }) -> [String]? {
        var context = context
        change(&context)
        let before = life
        guard (try? life.receive(event, context)) != nil else { return nil }
        transitions = Set(StepTable.transitions(from: before, to: life, by: event))
        return StepTable.violations(from: before, to: life, by: event)
    }

    // MARK: The engine

    /// Adds a change that is sent at most once, and sends it.
    private mutating func beginOnce(_ kind: PendingStep.Kind, _ operations: JSONObject) -> [String] {
        executedSeq = nil
        let begun = LifeEvent.begunOnce(
            kind, FieldOperations(stored: operations), hasChosenId: beginning == .chosen && kind == .create)
        let view = life.view
        var lines = take(begun)
        if life.view != view { lines.append("a change that the remote has not taken is shown") }
        lines += take(.chosen(entry, serverTime: time))
        return lines
    }

    /// Settles the first step, as the engine does: a change that is sent at most once is dropped if it was not executed.
    private mutating func settle(_ settlement: Settlement) -> [String] {
        guard entry.step.isSentOnce else { return take(.settled(entry, settlement)) }
        switch settlement {
        case .rejected, .notExecuted, .sendAgain: return take(.settled(entry, .dropped), isDecision: true)
        default: return take(.settled(entry, settlement))
        }
    }

    private var time: ParseDate { ParseDate(milliseconds: now) }

    var entry: OutboxEntry {
        OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
    }

    private var context: LifeContext {
        var context = LifeContext(now: time, author: .gateway) { "r" }
        context.options.policy = policy
        return context
    }

    /// Executes the request of the first step on the remote.
    private mutating func execute() -> Settlement {
        let step = life.steps[0].step
        executedSeq = life.steps[0].seq
        switch step.kind {
        case .delete:
            row = nil
            return .acknowledged(acknowledgement())
        case .create:
            guard row == nil else {
                // The engine reads the row next.
                executedSeq = nil
                return .unknown(reason: "duplicate", at: time)
            }
            row = Row(a: nil, b: 0, createdAt: now, updatedAt: now)
        case .update:
            guard row != nil else {
                executedSeq = nil
                return .rejected(code: 101, message: "not found")
            }
        }
        row?.updatedAt = now
        if case .set(let value)? = step.operations["a"] { row?.a = value.int }
        if case .set(let value)? = step.operations["b"], let int = value.int {
            row?.b = int
            countsExecuted += int
        }
        if case .increment(let amount)? = step.operations["b"], let int = JSONValue.number(amount).int {
            row?.b += int
            countsExecuted += int
        }
        open.subtract(row?.a.map { [$0] } ?? [])
        return .acknowledged(acknowledgement())
    }

    private func acknowledgement() -> Acknowledgement {
        Acknowledgement(
            objectId: "x", createdAt: row.map { ParseDate(milliseconds: $0.createdAt) },
            updatedAt: row.map { ParseDate(milliseconds: $0.updatedAt) }, echoed: JSONObject())
    }

    /// Reads the row and settles the request of unknown outcome, as the engine does.
    private mutating func prove() -> [String] {
        let entry = entry
        let record = row?.record
        let settlement: Settlement
        switch (entry.step.kind, record) {
        case (.create, let record?):
            switch life.verdict(on: record, context) {
            case .own, nil: settlement = .proven(record)
            case .foreign: settlement = .notExecuted(wasAttempted: false, error: nil)
            case .unprovable: settlement = .conflict(.ambiguousCreate, remote: record)
            }
        case (.delete, nil): settlement = .deletionDone
        case (.update, nil): settlement = entry.isFollowedByDelete ? .deletionDone : .sendAgain
        case (.create, nil), (.delete, _?): settlement = .sendAgain
        case (.update, let record?):
            switch ProofRules.judge(entry, against: record) {
            case .applied: settlement = .proven(record)
            case .mayBeSentAgain, .notApplied: settlement = .sendAgain
            case .unprovable: settlement = .conflict(.wasThisApplied, remote: record)
            case .moot: settlement = .moot(record)
            }
        }
        let lines = settle(settlement)
        return lines + take(record.map { .row($0) } ?? .absent)
    }

    // MARK: A truthful user

    private mutating func decide(keepsLocal: Bool) -> [String]? {
        guard let kind = life.conflict?.kind else { return nil }
        switch kind {
        case .wasThisApplied, .ambiguousCreate:
            // The user answers truthfully. Exactly one of the two answers is true.
            guard keepsLocal == isExecuted else { return nil }
            return take(.decided(keep: isExecuted ? "applied" : "sendAgain", nil), isDecision: true)
        case .fields, .deletedLocally, .deletedRemotely:
            return take(.decided(keep: keepsLocal ? "local" : "remote", nil), isDecision: true)
        }
    }

    // MARK: Invariants

    /// - Parameter isDecision: whether a user discards work with this event.
    private mutating func take(_ event: LifeEvent, isDecision: Bool = false) -> [String] {
        let outcome: LifeOutcome
        let before = life
        do { outcome = try life.receive(event, context) } catch { return ["\(event) is refused: \(error)"] }
        for index in life.steps.indices where life.steps[index].seq == nil {
            seq += 1
            life.steps[index].seq = seq
        }
        transitions.formUnion(StepTable.transitions(from: before, to: life, by: event))
        var lines = StepTable.violations(from: before, to: life, by: event)
        if let line = changedRequest(before, event) { lines.append(line) }
        if let line = changedAttempt(event) { lines.append(line) }
        if countsExecuted > countsMade { lines.append("an increment was executed twice") }
        return lines + account(outcome, isDecision)
    }

    /// A sent request does not change until its outcome is known.
    private func changedRequest(_ before: ObjectLife, _ event: LifeEvent) -> String? {
        if case .settled = event { return nil }
        for step in before.steps where step.step.phase.isFrozen {
            guard let now = life.steps.first(where: { $0.seq == step.seq }), now == step else {
                return "a frozen step has changed"
            }
        }
        return nil
    }

    /// A local write does not change a request that the remote may have executed, because its operations prove its outcome. Only a
    /// deletion makes an update needless.
    private mutating func changedAttempt(_ event: LifeEvent) -> String? {
        let steps = Dictionary(uniqueKeysWithValues: life.steps.compactMap { step in step.seq.map { ($0, step.step) } })
        func isUnchanged(_ sent: PendingStep, _ now: PendingStep?) -> Bool {
            now?.kind == sent.kind && now?.operations == sent.operations
        }
        switch event {
        case .created, .edited, .deleted:
            let changed = unanswered.filter { seq, sent in
                !isUnchanged(sent, steps[seq]) && !(sent.kind == .update && life.endsInDelete)
            }
            if !changed.isEmpty { return "a request that may have been executed has changed" }
        case .settled(let entry, .notExecuted(wasAttempted: false, _, _)): unanswered[entry.id] = nil
        default: break
        }
        // An outcome or a decision ends the uncertainty.
        unanswered = unanswered.filter { seq, sent in
            isUnchanged(sent, steps[seq]) && steps[seq]?.phase != .held && steps[seq]?.phase != .rejected
        }
        return nil
    }

    /// Every acknowledged value is pending, on the remote, in a conflict record, or discarded by a user.
    private mutating func account(_ outcome: LifeOutcome, _ isDecision: Bool) -> [String] {
        let pending = Set(life.steps.compactMap { $0.step.operations["a"].flatMap(Self.value) })
        let recorded = Set(
            outcome.effects.compactMap { effect -> Int? in
                guard case .conflictFound(let record) = effect else { return nil }
                return record.local?.fields["a"]?.int
            })
        let isRecorded = outcome.effects.contains { effect in
            guard case .conflictFound(let record) = effect else { return false }
            return record.kind != .fields || record.fields.contains("b")
        }
        let counts = countsExecuted + pendingCounts
        if isDecision || isRecorded || life.endsInDelete || life.base == nil {
            countsGivenUp = max(countsGivenUp, countsMade - counts)
        } else if counts + countsGivenUp < countsMade {
            return ["an increment is lost"]
        }
        let missing = open.subtracting(pending).subtracting(recorded)
        open.formIntersection(pending)
        if isDecision || missing.isEmpty { return [] }
        return ["the values \(missing.sorted()) are lost"]
    }

    private var pendingCounts: Int {
        life.steps.filter { $0.seq != executedSeq }.reduce(0) { sum, step in
            switch step.step.operations["b"] {
            case .increment(let amount)?: sum + (JSONValue.number(amount).int ?? 0)
            case .set(let value)?: sum + (value.int ?? 0)
            default: sum
            }
        }
    }

    private static func value(_ operation: FieldOperation) -> Int? {
        if case .set(let value) = operation { value.int } else { nil }
    }

    private mutating func nextValue() -> Int {
        valuesMade += 1
        // A later value replaces the earlier ones.
        open = [100 + valuesMade]
        return 100 + valuesMade
    }

    private func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
}

extension ShortLife.Row {
    var state: ObjectState {
        var fields: JSONObject = ["b": .number(JSONNumber(b))]
        if let a { fields["a"] = .number(JSONNumber(a)) }
        return ObjectState(
            createdAt: ParseDate(milliseconds: createdAt), updatedAt: ParseDate(milliseconds: updatedAt), fields: fields
        )
    }

    var record: RemoteRecord { RemoteRecord(className: "Holiday", objectId: "x", state: state) }
}
