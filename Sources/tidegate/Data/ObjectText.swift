import ParseModel

/// Formats objects and their values for a table.
enum ObjectText {
    /// A value as text: dates as ISO 8601, pointers as `Class/id`, files by their names, other arrays and objects as JSON.
    static func text(of value: JSONValue?) -> String {
        switch value {
        case nil: ""
        case .string(let text): text
        case .object(let object): typed(object) ?? object.jsonText
        case let value?: value.jsonText
        }
    }

    private static func typed(_ object: JSONObject) -> String? {
        switch object["__type"]?.string {
        case "Date": object["iso"]?.string
        case "Pointer", "Object": object["className"]?.string.map { "\($0)/\(object["objectId"]?.string ?? "")" }
        case "File": object["name"]?.string
        case "Relation": object["className"]?.string.map { "→ \($0)" }
        case "GeoPoint":
            if let latitude = object["latitude"], let longitude = object["longitude"] {
                "\(text(of: latitude)), \(text(of: longitude))"
            } else {
                nil
            }
        default: nil
        }
    }

    /// A table of objects: the id, the fields in the order of their appearance, and the time of the last change.
    /// - Parameter fields: the only fields to show, in this order; nil for all but the ACL.
    static func table(of objects: [JSONObject], fields: [String]?) -> Table {
        let columns = fields.map { ["objectId"] + $0.filter { $0 != "objectId" } } ?? allFields(of: objects)
        let rows = objects.map { object in
            columns.map { name in Table.Cell(text(of: object[name]), style(of: name)) }
                + (object["_sync"].map { [Table.Cell($0.object?["state"]?.string ?? "", .yellow)] } ?? [])
        }
        let hasState = objects.contains { $0["_sync"] != nil }
        return Table(head: columns + (hasState ? ["sync"] : []), rows: rows)
    }

    /// One object as a table of its fields.
    static func table(of object: JSONObject) -> Table {
        var rows = (allFields(of: [object]) + ["ACL"]).filter { object[$0] != nil }.map { name in
            [Table.Cell(name, .bold), Table.Cell(text(of: object[name]))]
        }
        if let state = object["_sync"]?.object?["state"]?.string {
            rows.append([Table.Cell("sync", .bold), Table.Cell(state)])
        }
        return Table(head: [], rows: rows)
    }

    private static func allFields(of objects: [JSONObject]) -> [String] {
        let last = ["createdAt", "updatedAt"]
        let left: Set = ["objectId", "ACL", "_sync", "createdAt", "updatedAt"]
        var (seen, names): (Set<String>, [String]) = (left, [])
        for object in objects {
            for name in object.keys where seen.insert(name).inserted { names.append(name) }
        }
        return ["objectId"] + names + last.filter { name in objects.contains { $0[name] != nil } }
    }

    private static func style(of field: String) -> TextStyle? {
        ["createdAt", "updatedAt"].contains(field) ? .faint : nil
    }
}
