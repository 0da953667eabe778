import ParseModel
import StoreService
import SyncModel

/// A class in `GET /sync/classes`: its figures, and its options and pulls (`syncClass`). `syncClass` is read before the figures,
/// and is nil for a class that was added in between.
package struct SyncedClass: Sendable {
    package var figures: SyncFigures.Class
    package var syncClass: SyncClass?

    package init(figures: SyncFigures.Class, syncClass: SyncClass?) {
        self.figures = figures
        self.syncClass = syncClass
    }

    var name: String { figures.name }

    /// The entry in `GET /sync/classes`.
    var json: JSONObject {
        var json = figures.json
        guard let syncClass else { return json }
        let options = syncClass.options
        json["policy"] = .string(options.policy.rawValue)
        json["opField"] = options.opField.map(JSONValue.string) ?? .null
        json["opFieldRefusal"] = options.opFieldRefusal.map(JSONValue.string) ?? .null
        // The gateway suggests an `opField` (the field for operation ids), but does not set one if that adds a field to
        // the remote's class.
        if options.opField == nil { json["opFieldOffer"] = .string(ClassOptions.opFieldStandard) }
        json["deletedField"] = options.deletedField.map(JSONValue.string) ?? .null
        json["relations"] = .bool(options.pullsRelations)
        json["idFields"] = .object(options.idFields.json)
        json["files"] = options.files.json
        if let mapping = syncClass.mapping {
            json["table"] = options.mapping.table.map(JSONValue.string) ?? .null
            json["mapping"] = .object(Self.json(mapping, declared: options.mapping))
        }
        json["pulls"] = .array(
            syncClass.pulls.map { state in
                [
                    "name": .string(state.pull.name), "where": .object(state.pull.conditions),
                    "keys": state.pull.keys.map { .array($0.map(JSONValue.string)) } ?? .null,
                    "initialSyncComplete": .bool(state.completeSince != nil),
                    "auditedAt": state.auditedAt.map { .string($0.iso) } ?? .null,
                ]
            })
        return json
    }

    /// The fields of a mapping as JSON. Each has its type, and whether the option `fields` declares the type.
    private static func json(_ mapping: ClassMapping, declared: ClassMapping) -> JSONObject {
        var json = JSONObject()
        for (name, type) in mapping.fieldTypes {
            var field = type.object ?? [:]
            field["declared"] = .bool(declared.fields[name] != nil)
            json[name] = .object(field)
        }
        return json
    }
}

extension SyncFigures.Class {
    /// The entry of a class in `GET /sync`.
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
