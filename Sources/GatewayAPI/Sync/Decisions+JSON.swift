import ParseModel
import StoreService
import SyncModel

extension PendingChange {
    var json: JSONObject {
        [
            "id": .int(id), "className": .string(className), "objectId": .string(objectId),
            "kind": .string(step.kind.rawValue), "phase": .string(step.phase.rawValue),
            "fields": .array(step.operations.fields.map(JSONValue.string)),
            "operations": .object(step.operations.json), "madeAt": .string(step.madeAt.iso),
            "attempts": .int(attempts), "code": code.map { .int($0) } ?? .null,
            "error": error.map(JSONValue.string) ?? .null,
            "base": base.flatMap { try? JSONReader.read($0, depthMax: JSONReader.storedDepthMax) } ?? .null,
        ]
    }
}

extension ListedConflict {
    var json: JSONObject {
        [
            "id": .int(id), "className": .string(className), "objectId": .string(objectId),
            "kind": .string(kind.rawValue), "fields": .array(fields.map(JSONValue.string)), "base": Self.read(base),
            "local": Self.read(local), "remote": Self.read(remote),
            "candidates": .array(candidates.map(JSONValue.string)),
            "operations": operations.map(JSONValue.object) ?? .null, "foundAt": .string(foundAt.iso),
            "resolution": resolution.map(JSONValue.string) ?? .null,
            "resolvedAt": resolvedAt.map { .string($0.iso) } ?? .null,
        ]
    }

    private static func read(_ text: String?) -> JSONValue {
        text.flatMap { try? JSONReader.read($0, depthMax: JSONReader.storedDepthMax) } ?? .null
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
