import ParseModel
import SyncModel

/// A line of the trace: an event of one object, and the object's state after it.
struct LifeTrace: CustomStringConvertible {
    let event: LifeEvent
    let after: ObjectLife

    var description: String {
        var parts = ["\(after.className) \(after.objectId): \(Self.text(event)) ->"]
        if let base = after.base {
            parts.append("base \(Self.text(base))")
        } else {
            parts.append("no base")
        }
        if after.baseStanding != .shown { parts.append("(\(after.baseStanding))") }
        for step in after.steps {
            let seq = step.seq.map { "\($0)" } ?? "new"
            parts.append("[\(seq) \(step.step.kind) \(step.step.phase) \(step.step.operations.json.jsonText)]")
        }
        return parts.joined(separator: " ")
    }

    private static func text(_ event: LifeEvent) -> String {
        switch event {
        case .created(let operations, _): "created \(operations.json.jsonText)"
        case .edited(let operations, _): "edited \(operations.json.jsonText)"
        case .chosen(let entry, _): "chosen \(entry.id)"
        case .settled(let entry, let settlement): "settled \(entry.id) \(String("\(settlement)".prefix(200)))"
        case .row(let record): "row \(text(record.state)) marks \(record.operationMarks)"
        case .decided(let keep, _): "decided, keeps \(keep ?? "nothing")"
        default: String("\(event)".prefix(200))
        }
    }

    private static func text(_ state: ObjectState) -> String {
        "\(state.updatedAt.iso) \(state.fields.jsonText)"
    }
}
