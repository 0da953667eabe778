import ParseModel
import SyncModel

extension ParseDate {
    package static let made = ParseDate(milliseconds: 1_000)
    /// The `updatedAt` of the base, the last known remote state.
    package static let based = ParseDate(milliseconds: 2_000)
    /// The time of another client's change of the row.
    package static let changed = ParseDate(milliseconds: 3_000)
}

extension FieldOperations {
    /// - Parameter body: the body of a write, as a client sends it.
    package static func make(_ body: JSONObject) -> FieldOperations { FieldOperations(stored: body) }
}

extension ObjectState {
    package static func make(_ fields: JSONObject) -> ObjectState {
        ObjectState(createdAt: .made, updatedAt: .based, fields: fields)
    }
}

extension PendingStep {
    package static func make(
        _ kind: Kind, _ body: JSONObject = [:], by author: AuthorKey = .gateway, phase: Phase = .pending,
        wasAttempted: Bool = false
    ) -> PendingStep {
        PendingStep(
            kind: kind, by: author, operations: .make(body), phase: phase, madeAt: .made, wasAttempted: wasAttempted)
    }
}

extension RemoteRecord {
    package static func make(_ fields: JSONObject, updatedAt: ParseDate = .changed) -> RemoteRecord {
        RemoteRecord(className: "Holiday", objectId: "a", createdAt: .made, updatedAt: updatedAt, fields: fields)
    }
}

extension Pointer {
    package static func holiday(_ objectId: String) -> Pointer { Pointer(className: "Holiday", objectId: objectId) }
}

extension OutboxEntry {
    /// - Parameter awaits: the ids of objects whose create must be acknowledged first.
    package static func make(
        _ objectId: String = "a", id: Int64 = 1, _ step: PendingStep, base: JSONObject? = nil, awaits: [String] = [],
        ownMarks: [String] = []
    ) -> OutboxEntry {
        OutboxEntry(
            id: id, className: "Holiday", objectId: objectId, step: step, requestId: "r", attempts: 0,
            attemptedAt: nil, unansweredAt: nil, base: base.map(ObjectState.make),
            awaits: Set(awaits.map(Pointer.holiday)), ownMarks: ownMarks)
    }
}
