/// The schema of a class: fields with types and options, permissions, and indexes.
package struct ClassSchema: Sendable, Hashable {
    package let className: String
    /// The fields that were added to the default fields, and default fields with changed options.
    package var added: [String: SchemaField]
    /// The class-level permissions; nil if none are set, which makes every operation public.
    package var permissions: JSONObject?
    /// The indexes by name, in the format of `/schemas`.
    package var indexes: JSONObject

    package init(
        _ className: String, added: [String: SchemaField] = [:], permissions: JSONObject? = nil,
        indexes: JSONObject = [:]
    ) {
        self.className = className
        self.added = added
        self.permissions = permissions
        self.indexes = indexes
    }

    /// The field with this name; nil if the class has no such field.
    package subscript(field: String) -> SchemaField? {
        added[field] ?? DefaultFields.of(className).first { $0.name == field }.map { SchemaField($0.type) }
    }

    /// The schema in the format of a `/schemas` response.
    package var json: JSONObject {
        var fields = JSONObject()
        for (name, type) in DefaultFields.of(className) { fields[name] = .object(added[name]?.json ?? type.json) }
        for (name, field) in added.sorted(by: { $0.key < $1.key }) { fields[name] = .object(field.json) }
        var json: JSONObject = [
            "className": .string(className), "fields": .object(fields),
            "classLevelPermissions": .object(ClassPermissions.shown(permissions)),
        ]
        if !indexes.isEmpty { json["indexes"] = .object(indexes) }
        return json
    }

    /// Reads a class of a `/schemas` response. Fields of unknown types are skipped.
    /// - Returns: nil without a class name.
    package init?(json: JSONObject) {
        guard let className = json["className"]?.string else { return nil }
        var added: [String: SchemaField] = [:]
        for (name, value) in json["fields"]?.object ?? [:] {
            guard let field = value.object.flatMap(SchemaField.init(stored:)) else { continue }
            let usual = DefaultFields.of(className).first { $0.name == name }
            if usual?.type != field.type || field != SchemaField(field.type) { added[name] = field }
        }
        self.init(
            className, added: added, permissions: json["classLevelPermissions"]?.object,
            indexes: json["indexes"]?.object ?? [:])
    }
}
