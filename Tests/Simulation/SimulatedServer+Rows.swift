import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The server's objects as rows with versions and tombstones.
extension SimulatedServer {
    /// The version and the last state of each row, deleted rows included.
    struct RowStates: Sendable {
        private struct State {
            let version: String
            let tombstone: RemoteRecord?
        }

        private var states: [Pointer: State] = [:]
        private var latest: [Pointer: RemoteRecord] = [:]

        mutating func note(_ entry: ChangeEntry, at now: ParseDate) {
            let pointer = Pointer(className: entry.className, objectId: entry.objectId)
            let version = "v\(entry.number)"
            if let row = RemoteRecord(entry.json, pointer, version: version) {
                latest[pointer] = row
                states[pointer] = State(version: version, tombstone: nil)
            } else if let row = latest[pointer] {
                let tombstone = RemoteRecord(
                    className: row.className, objectId: row.objectId, createdAt: row.createdAt, updatedAt: now,
                    fields: row.fields, version: version, isDeleted: true)
                states[pointer] = State(version: version, tombstone: tombstone)
            }
        }

        func version(of pointer: Pointer) -> String? { states[pointer]?.version }

        /// The rows of a class, tombstones included, in the order of a pull: by the time of the last change, then by id.
        func rows(of className: String) -> [RemoteRecord] {
            states.compactMap { pointer, state in
                pointer.className == className ? state.tombstone ?? latest[pointer] : nil
            }.sorted { ($0.updatedAt, $0.objectId) < ($1.updatedAt, $1.objectId) }
        }
    }

    func rows(of className: String) -> [RemoteRecord] { rowStates.withLock { $0.rows(of: className) } }

    /// Executes a write as a remote with conditional writes does. The outcome is `conflict` if an update or a deletion
    /// is based on another version of the row.
    /// - Parameter keepsTombstones: whether the remote keeps the rows of deleted objects.
    func execute(
        _ operation: PushOperation, by sender: ServerHistory.Sender, keepsTombstones: Bool
    ) async -> PushOutcome {
        let row = rows(of: operation.className).first {
            $0.objectId == operation.objectId && (keepsTombstones || !$0.isDeleted)
        }
        switch operation.kind {
        case .create:
            if row != nil { return .duplicate(message: "The row exists already.") }
            return await perform(.create(className: operation.className, body: operation.row), operation, by: sender)
        case .undelete:
            guard let row, row.isDeleted else { return row.map { .conflict($0) } ?? .gone() }
            return await perform(.create(className: operation.className, body: operation.row), operation, by: sender)
        case .update, .delete:
            guard let row else { return .gone() }
            if let version = operation.base?.version, version != row.version { return .conflict(row) }
            if row.isDeleted { return .gone() }
            let request: WriteRequest =
                operation.kind == .delete
                ? .delete(className: row.className, objectId: row.objectId)
                : .update(className: row.className, objectId: row.objectId, body: operation.changes)
            return await perform(request, operation, by: sender)
        }
    }

    private func perform(
        _ request: WriteRequest, _ operation: PushOperation, by sender: ServerHistory.Sender
    ) async -> PushOutcome {
        if case .failure(let error) = await execute(request, by: sender) {
            return .refused(code: 1, message: "\(error)")
        }
        guard let row = rows(of: operation.className).first(where: { $0.objectId == operation.objectId }) else {
            return .gone()
        }
        let isNew = operation.kind == .create || operation.kind == .undelete
        return .applied(
            Acknowledgement(
                objectId: row.objectId, createdAt: isNew ? row.createdAt : nil, updatedAt: row.updatedAt,
                echoed: row.fields, version: row.version))
    }
}

extension RemoteRecord {
    /// Reads a row from the JSON text of an object. Nil for a deletion, which has no text.
    fileprivate init?(_ json: String?, _ pointer: Pointer, version: String) {
        guard let object = json.flatMap({ try? JSONReader.read($0).object }),
            let createdAt = object["createdAt"]?.string.flatMap(ParseDate.init(iso:)),
            let updatedAt = object["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
        else { return nil }
        var fields = object
        fields.removeAll { ["objectId", "createdAt", "updatedAt"].contains($0) }
        self.init(
            className: pointer.className, objectId: pointer.objectId, createdAt: createdAt, updatedAt: updatedAt,
            fields: fields, version: version)
    }
}

extension PushOperation {
    /// The complete new row, with its client-chosen id.
    fileprivate var row: JSONObject {
        var row = merged ?? [:]
        row["objectId"] = .string(objectId)
        return row
    }

    /// The fields that the operation changes, with their new values. A removed field has the value `{"__op": "Delete"}`.
    fileprivate var changes: JSONObject {
        var changes: JSONObject = [:]
        for field in operations.fields { changes[field] = merged?[field] ?? ["__op": "Delete"] }
        return changes
    }
}
