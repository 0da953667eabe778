import ParseModel

/// What the local API needs of a store that is the authority on its classes.
package protocol SchemaStore: Sendable {
    /// All classes, sorted by name.
    func schemas() throws -> [ClassSchema]

    /// Nil where there is no such class.
    func schema(of className: String) throws -> ClassSchema?

    /// Makes a class or changes it. It is on disk when this returns.
    /// - Parameter change: gives the class after, from the one before. What it throws leaves all as it was.
    func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema

    /// Forgets a class that has no objects; one that is not there may be forgotten as well.
    /// - Throws: `ParseError` 255 where it has some.
    func dropSchema(_ className: String) async throws

    /// Drops all objects of a class, and keeps the class.
    func dropObjects(of className: String) async throws
}

/// A class after a change.
package struct SchemaChange: Sendable {
    package let schema: ClassSchema
    /// Fields whose values go.
    package let deleted: [String]

    package init(_ schema: ClassSchema, deleted: [String] = []) {
        self.schema = schema
        self.deleted = deleted
    }
}
