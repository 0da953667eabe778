import ParseModel
import RemoteService

extension SyncSummary {
    /// The summary as JSON: the answer of `POST /sync?wait=true`, and `lastSummary` in the answer of `GET /sync`.
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
            "at": endedAt.map { .string($0.iso) } ?? .null,
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
