import ParseModel
import RemoteService

extension DatasyncRemote: RemoteSchemaService {
    /// The schemas of those classes whose tables the server describes. A text column has no type in a schema.
    package func classSchemas(of classes: [String]) async throws(RemoteError) -> [ClassSchema]? {
        guard let description = try await exchange.description() else { return nil }
        var schemas: [ClassSchema] = []
        for name in classes {
            let mapping = try await configuration.mapping(name)
            guard let columns = description.columns(at: mapping.path(of: name)) else { continue }
            let fields = columns.filter { Columns.isField($0.key) && mapping.fields[$0.key] == nil }
                .compactMapValues { $0.fieldType.map { SchemaField($0) } }
            if !fields.isEmpty { schemas.append(ClassSchema(name, added: fields)) }
        }
        return schemas
    }
}
