import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine

/// The answers of `/sync` as `openapi.yaml` describes them.
enum SyncStatusJSON {
    static func object(
        _ status: SyncStatus, _ figures: SyncFigures, remote: GatewayConfiguration.Remote
    ) -> JSONObject {
        let pulled = figures.classes.filter(\.isPulled)
        return [
            "mode": "replica",
            "remote": ["url": .string(remote.url), "applicationId": .string(remote.applicationId)],
            "state": .string(status.state.rawValue),
            "online": .bool(status.isOnline),
            // A class that may not be listed is not waited for; its entry says so.
            "initialSyncComplete": .bool(pulled.allSatisfy { $0.initialSyncComplete || $0.refusal != nil }),
            "lastSyncAt": figures.lastSyncAt.map { .string($0.iso) } ?? .null,
            "lastError": status.lastError.map {
                ["message": .string($0), "kind": status.lastErrorKind.map(JSONValue.string) ?? .null]
            } ?? .null,
            "circuit": .object(status.circuit.json),
            "pushPaused": status.pushPausedBecause.map { ["reason": .string($0)] } ?? .null,
            "pending": .int(figures.pending),
            "rejections": .int(figures.rejections),
            "conflicts": .int(figures.conflicts),
            "removals": .int(figures.removals),
            "progress": status.progress.map { .object($0.json) } ?? .null,
            "lastSummary": status.lastSummary.map { .object($0.json) } ?? .null,
            "classes": .array(figures.classes.map { .object($0.json) }),
        ]
    }
}

extension SyncStatus.Circuit {
    fileprivate var json: JSONObject {
        [
            "state": .string(state.rawValue), "failures": .int(failures),
            "retryAt": retryAt.map { .string($0.iso) } ?? .null,
        ]
    }
}

extension SyncProgress {
    var json: JSONObject {
        [
            "phase": .string(phase.rawValue), "class": className.map(JSONValue.string) ?? .null, "done": .int(done),
            "total": total.map { .int($0) } ?? .null,
        ]
    }
}

extension SyncSummary {
    var json: JSONObject {
        let (seconds, attoseconds) = duration.components
        let byClass = classes.sorted { $0.key < $1.key }.map { name, figures in
            (name, JSONValue.object(figures.json))
        }
        return [
            "pulled": .int(pulled), "pushed": .int(pushed), "removed": .int(removed), "released": .int(released),
            "conflicts": .int(conflicts),
            "settled": .int(settled), "rejections": .int(rejections), "heldBack": .int(heldBack),
            "repaired": .int(repaired), "deferred": .int(deferred), "relationsLeft": .bool(relationsLeft),
            "files": .int(uploaded), "requests": .int(requests),
            "durationMs": .int(seconds * 1000 + attoseconds / 1_000_000_000_000_000),
            "warnings": .array(warnings.map(JSONValue.string)), "classes": .object(JSONObject(byClass)),
        ]
    }
}

extension SyncSummary.Class {
    fileprivate var json: JSONObject {
        [
            "pulled": .int(pulled), "pushed": .int(pushed), "removed": .int(removed), "released": .int(released),
            "conflicts": .int(conflicts),
            "settled": .int(settled), "rejections": .int(rejections), "heldBack": .int(heldBack),
            "repaired": .int(repaired),
        ]
    }
}

extension SyncFigures.Class {
    var json: JSONObject {
        [
            "name": .string(name), "objects": .int(objects), "pending": .int(pending), "registered": .bool(isPulled),
            "initialSyncComplete": .bool(initialSyncComplete), "hidden": .int(hidden),
            "refusal": refusal.map(JSONValue.string) ?? .null,
            "stopped": stoppedBecause.map { ["reason": .string($0)] } ?? .null,
            "skipped": .array(
                skipped.map { row in
                    [
                        "objectId": .string(row.objectId), "updatedAt": .string(row.updatedAt.iso),
                        "reason": .string(row.reason),
                    ]
                }),
        ]
    }
}

extension LocalStore.PendingChange {
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

extension LocalStore.Conflict {
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

extension LocalStore.Removal {
    var json: JSONObject {
        [
            "id": .int(id), "className": .string(className), "reason": .string(reason.rawValue),
            "objects": .int(objectIds.count + olderIds.count), "of": .int(total),
            "objectIds": .array(objectIds.map(JSONValue.string)),
            "olderIds": .array(olderIds.map(JSONValue.string)), "foundAt": .string(foundAt.iso),
        ]
    }
}
