import ParseModel

/// The schemas of the classes in a store.
package protocol SchemaStore: Sendable {
    /// The schemas of all classes, sorted by name.
    func all() throws -> [ClassSchema]

    /// The schema of a class; nil for an unknown class.
    func schema(of className: String) throws -> ClassSchema?

    /// Creates a class or changes its schema. The schema is on disk when this returns.
    /// - Parameter change: maps the current schema to the new one. If it throws, the current schema stays.
    func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema

    /// Removes a class that has no objects. Has no effect for an unknown class.
    /// - Throws: `ParseError` 255 (impossible schema change) for a class with objects.
    func dropSchema(_ className: String) async throws

    /// Deletes all objects of a class. The class itself stays.
    func dropObjects(of className: String) async throws
}

/// The result of a schema change: the new schema and the deleted fields.
package struct SchemaChange: Sendable {
    package let schema: ClassSchema
    /// The deleted fields. Their values are removed from all objects.
    package let deleted: [String]

    package init(_ schema: ClassSchema, deleted: [String] = []) {
        self.schema = schema
        self.deleted = deleted
    }
}
