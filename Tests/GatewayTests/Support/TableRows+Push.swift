import ParseModel
import RemoteService
import SyncModel

/// What the server of a `TableRemote` does with a write, and what its adapter makes of the answer.
extension TableRows {
    mutating func carryOut(_ operation: PushOperation, at now: ParseDate) -> PushOutcome {
        if let refusal = refusal(of: operation) { return refusal }
        let row = self[operation.className, operation.objectId]
        switch operation.kind {
        case .create:
            guard operation.sendsObjectId else { return create(operation, newId(), at: now) }
            guard row == nil else { return .duplicate(message: "The row exists already.") }
            return create(operation, operation.objectId, at: now)
        case .undelete:
            guard let row, row.isDeleted else { return row.map { .conflict($0) } ?? .gone() }
            return create(operation, row.objectId, at: now)
        case .update, .delete:
            guard let row else { return .gone() }
            // An adapter without a version has to send its write without a condition; a tombstone stays one.
            if let version = operation.base?.version, version != row.version { return .conflict(row) }
            if row.isDeleted { return .gone() }
            let fields = operation.kind == .delete ? row.fields : row.fields.with(operation)
            let written = put(
                row.className, row.objectId, fields, at: now, isDeleted: operation.kind == .delete)
            return .applied(Acknowledgement(written, createdAt: nil))
        }
    }

    /// A server that has columns refuses an unknown one with a 500, for ever; so the adapter looks first.
    private func refusal(of operation: PushOperation) -> PushOutcome? {
        guard operation.kind != .delete else { return nil }
        guard let merged = operation.merged else { return .refused(code: 1, message: "The row is not given.") }
        for field in operation.operations.fields {
            guard field.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isLetterOrDigit }) else {
                return .refused(code: 105, message: "There is no column \(field).")
            }
            switch merged[field] {
            case .object(let object)? where object["__type"] == "Date": continue
            case .array?, .object?: return .refused(code: 111, message: "\(field) is no scalar.")
            default: continue
            }
        }
        return nil
    }

    private mutating func create(_ operation: PushOperation, _ objectId: String, at now: ParseDate) -> PushOutcome {
        let written = put(operation.className, objectId, operation.merged ?? [:], at: now)
        return .applied(Acknowledgement(written, createdAt: written.createdAt))
    }
}

extension Acknowledgement {
    /// A table answers each write with the whole row.
    fileprivate init(_ row: RemoteRecord, createdAt: ParseDate?) {
        self.init(
            objectId: row.objectId, createdAt: createdAt, updatedAt: row.updatedAt, echoed: row.fields,
            version: row.version)
    }
}

extension JSONObject {
    /// The row after a partial write: the operation's fields have the values that the merged object has.
    fileprivate func with(_ operation: PushOperation) -> JSONObject {
        var fields = self
        for field in operation.operations.fields { fields[field] = operation.merged?[field] }
        return fields
    }
}

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
