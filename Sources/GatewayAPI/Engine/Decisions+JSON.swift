import ParseModel
import StoreService
import SyncModel

extension PendingChange {
    /// - Throws: `StoreError.damaged` if the stored base (the last state known from the remote) is unreadable.
    func json() throws -> JSONObject {
        var json: JSONObject = [
            "id": .int(id), "className": .string(className), "objectId": .string(objectId),
            "kind": .string(step.kind.rawValue), "phase": .string(step.phase.rawValue),
            "fields": .array(step.operations.fields.map(JSONValue.string)),
            "operations": .object(step.operations.json), "madeAt": .string(step.madeAt.iso),
            "attempts": .int(attempts), "code": code.map { .int($0) } ?? .null,
            "error": error.map(JSONValue.string) ?? .null,
            "base": try storedState(base, className, objectId), "tag": .string(tag),
        ]
        if step.isSentOnce { json["remote"] = "only" }
        json["user"] = userId.map(JSONValue.string)
        return json
    }
}

extension ListedConflict {
    /// The conflict as JSON. `base`, `local` or `remote` is null if that state is unknown, or if the object does not exist in it.
    /// - Throws: `StoreError.damaged` if a stored state is unreadable.
    func json() throws -> JSONObject {
        var json: JSONObject = [
            "id": .int(id), "className": .string(className), "objectId": .string(objectId),
            "kind": .string(kind.rawValue), "fields": .array(fields.map(JSONValue.string)),
            "base": try storedState(base, className, objectId),
            "local": try storedState(local, className, objectId),
            "remote": try storedState(remote, className, objectId),
            "candidates": .array(candidates.map(JSONValue.string)),
            "operations": operations.map(JSONValue.object) ?? .null, "foundAt": .string(foundAt.iso),
            "resolution": resolution.map(JSONValue.string) ?? .null,
            "resolvedAt": resolvedAt.map { .string($0.iso) } ?? .null, "tag": .string(tag),
        ]
        json["user"] = userId.map(JSONValue.string)
        return json
    }
}

extension HeldRemoval {
    var json: JSONObject {
        [
            "id": .int(id), "className": .string(className), "reason": .string(reason.rawValue),
            "objects": .int(objectIds.count + olderIds.count), "of": .int(total),
            "objectIds": .array(objectIds.map(JSONValue.string)),
            "olderIds": .array(olderIds.map(JSONValue.string)), "foundAt": .string(foundAt.iso),
        ]
    }
}

private func storedState(_ text: String?, _ className: String, _ objectId: String) throws -> JSONValue {
    guard let text else { return .null }
    guard let state = try? JSONReader.read(text, depthMax: JSONReader.storedDepthMax) else {
        throw StoreError.damaged(className: className, objectId: objectId)
    }
    return state
}
