import ParseModel
import RemoteService

extension DatasyncRemote: RemoteSchemaService {
    /// The schemas of those classes whose tables the server describes. A text column has no type in a schema, because it may hold
    /// values of several Parse types.
    package func classSchemas(of classes: [String]) async throws(RemoteError) -> [ClassSchema]? {
        guard let description = await exchange.description(knowledge.dialect) else { return nil }
        knowledge.note(description)
        var schemas: [ClassSchema] = []
        for name in classes {
            let mapping = try await configuration.mapping(name)
            guard let columns = description.columns(at: mapping.path(of: name)) else { continue }
            let fields = columns.filter { Columns.isField($0.key) }.compactMapValues(\.fieldType)
            let types = fields.merging(mapping.fields) { $1 }
            schemas.append(ClassSchema(name, added: types.mapValues { SchemaField($0) }))
        }
        return schemas
    }
}
