import ParseModel
import RemoteService
import SyncModel

/// The server side of a write to a `TableRemote`, and the adapter's interpretation of the answer.
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
            // An adapter without a version must send its write unconditionally. A tombstone stays a tombstone.
            if let version = operation.base?.version, version != row.version { return .conflict(row) }
            if row.isDeleted { return .gone() }
            let fields = operation.kind == .delete ? row.fields : row.fields.with(operation)
            let written = put(
                row.className, row.objectId, fields, at: now, isDeleted: operation.kind == .delete)
            return .applied(Acknowledgement(written, createdAt: nil))
        }
    }

    /// A server with fixed columns always refuses an unknown one with status 500, so the adapter checks first.
    private func refusal(of operation: PushOperation) -> PushOutcome? {
        guard operation.kind != .delete else { return nil }
        guard let merged = operation.merged else { return .refused(code: 1, message: "The row is not given.") }
        for field in operation.operations.fields {
            guard field.utf8.allSatisfy({ $0 == UInt8(ascii: "_") || $0.isLetterOrDigit }) else {
                return .refused(code: 105, message: "There is no column \(field).")
            }
            switch merged[field] {
            case .object(let object)? where ["Date", "Pointer", "File", "Bytes"].contains(object["__type"]): continue
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
    /// The row after a partial write: the operation's fields get the values of the merged object.
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
