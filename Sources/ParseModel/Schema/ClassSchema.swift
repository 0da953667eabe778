/// What is known of a class: its fields with their types and options, who may do what with it, and its indexes.
package struct ClassSchema: Sendable, Hashable {
    package let className: String
    /// What was added to the fields that the class has anyway, and options that were set for those.
    package var added: [String: SchemaField]
    /// Nil where nobody has set any: everybody may do everything.
    package var permissions: JSONObject?
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

    /// Nil where the class has no such field.
    package subscript(field: String) -> SchemaField? {
        added[field] ?? DefaultFields.of(className).first { $0.name == field }.map { SchemaField($0.type) }
    }

    /// The class as an answer of `/schemas` has it.
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

    /// Reads a class as an answer of `/schemas` has it; nil where it names no class. Fields of types that are not known here
    /// are left out: nothing is said of them.
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
