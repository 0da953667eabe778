import ParseModel
import RemoteService
import SyncModel

/// Executes a write on the server side of a `TableRemote`, and returns the outcome as an adapter would report it.
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
            // Without a known row version, the write is unconditional. A tombstone stays a tombstone.
            if let version = operation.base?.version, version != row.version { return .conflict(row) }
            if row.isDeleted { return .gone() }
            let fields = operation.kind == .delete ? row.fields : row.fields.with(operation)
            let written = put(
                row.className, row.objectId, fields, at: now, isDeleted: operation.kind == .delete)
            return .applied(Acknowledgement(written, createdAt: nil))
        }
    }

    /// An unknown column is refused before the request, because a server with fixed columns would answer status 500.
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
    /// Makes the acknowledgement of a write from the row, which a table server returns as a whole.
    fileprivate init(_ row: RemoteRecord, createdAt: ParseDate?) {
        self.init(
            objectId: row.objectId, createdAt: createdAt, updatedAt: row.updatedAt, echoed: row.fields,
            version: row.version)
    }
}

extension JSONObject {
    /// Applies a partial write to the row: the operation's fields get the values of the merged object.
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
