import ParseModel
import StoreService

/// Exports and imports the schemas of a gateway without a remote, and its global config, in the form of objects. An
/// object of `_SCHEMA` has the name of a class as its id and the members of a `/schemas` response. The object of
/// `_GlobalConfig` is that of Parse Server.
///
/// In an export they follow the objects, so that default values and required fields do not change imported objects.
package struct SchemaTransfer: Sendable {
    let store: any ObjectStore

    /// The classes of these objects, in the order of an export.
    private static let classNames = ["_SCHEMA", InternalClasses.globalConfig]

    package static func holds(_ className: String) -> Bool { classNames.contains(className) }

    /// The schemas and the config, for each class that has one.
    func all() throws -> [(className: String, objects: [JSONObject])] {
        try Self.classNames.map { ($0, try objects(of: $0)) }.filter { !$0.1.isEmpty }
    }

    /// Built-in classes without changes are left out.
    func objects(of className: String) throws -> [JSONObject] {
        guard className != InternalClasses.globalConfig else {
            return try GlobalConfig(stored: store.config()).object.map { [try $0.fields(of: className)] } ?? []
        }
        return try store.schemas.all().filter { schema in
            schema != ClassSchema(schema.className) || !schema.className.hasPrefix("_")
        }.map { schema in
            var object: JSONObject = ["objectId": .string(schema.className)]
            for (name, value) in schema.json where name != "className" { object[name] = value }
            // Without permissions, a schema shows public ones. An import must not replace others by them.
            if schema.permissions == nil { object["classLevelPermissions"] = nil }
            return object
        }
    }

    /// Imports a schema or the config. Fields, indexes and parameters that the object does not name stay.
    /// - Parameter writes: false to change nothing.
    /// - Throws: `ParseError` if the object is invalid or contradicts the present schema, `StoreError`.
    func take(_ object: ImportedObject, writes: Bool) async throws -> ImportOutcome {
        guard object.className == InternalClasses.globalConfig else {
            return try await takeSchema(object.fields, writes: writes)
        }
        let change = try GlobalConfig.Change(object.fields)
        let before = try GlobalConfig(stored: store.config())
        var after = before
        try change.apply(to: &after)
        guard after != before else { return .unchanged }
        if writes {
            try await store.changeConfig { stored in
                var config = try GlobalConfig(stored: stored)
                try change.apply(to: &config)
                return config.text
            }
        }
        return before.object == nil ? .made : .changed
    }

    private func takeSchema(_ fields: JSONObject, writes: Bool) async throws -> ImportOutcome {
        let className = try Self.className(in: fields)
        let before = try store.schemas.schema(of: className)
        let after = try ClassSchema(importing: className, fields, over: before)
        guard after.json != before?.json else { return .unchanged }
        if writes {
            _ = try await store.schemas.changeSchema(className) { present in
                SchemaChange(try ClassSchema(importing: className, fields, over: present))
            }
        }
        return before == nil ? .made : .changed
    }

    /// The types of the fields in an object of `_SCHEMA`, with the name of the class.
    static func types(in fields: JSONObject) throws(ParseError) -> (className: String, types: [(String, FieldType)]) {
        let className = try className(in: fields)
        var json = fields
        json["className"] = .string(className)
        let schema = ClassSchema(json: json)
        return (className, schema?.added.map { ($0.key, $0.value.type) } ?? [])
    }

    private static func className(in fields: JSONObject) throws(ParseError) -> String {
        guard let className = fields["objectId"]?.string else {
            throw ParseError(.missingClassName, "The objectId of a schema is the name of its class.")
        }
        return className
    }
}
