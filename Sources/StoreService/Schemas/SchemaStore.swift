import ParseModel

/// The classes of a store, as the local API reads and changes them.
package protocol SchemaStore: Sendable {
    /// All classes, sorted by name.
    func schemas() throws -> [ClassSchema]

    /// The schema of a class; nil for an unknown class.
    func schema(of className: String) throws -> ClassSchema?

    /// Creates or changes a class. The change is on disk when this returns.
    /// - Parameter change: maps the present class to the new one. If it throws, the present class stays.
    func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema

    /// Removes a class without objects. An unknown class is no error.
    /// - Throws: `ParseError` 255 for a class with objects.
    func dropSchema(_ className: String) async throws

    /// Drops all objects of a class, and keeps the class.
    func dropObjects(of className: String) async throws
}

/// A changed class.
package struct SchemaChange: Sendable {
    package let schema: ClassSchema
    /// Deleted fields, whose values are removed from all objects.
    package let deleted: [String]

    package init(_ schema: ClassSchema, deleted: [String] = []) {
        self.schema = schema
        self.deleted = deleted
    }
}
