import ParseModel
import RemoteService

extension ParseRemote: RemoteSchemaService {
    package func classSchemas(of classes: [String]) async throws(RemoteError) -> [ClassSchema]? {
        try await classSchemas()
    }

    /// The schemas of all classes of the server.
    func classSchemas() async throws(RemoteError) -> [ClassSchema] {
        let response = try await response(to: requests.get("/schemas"))
        guard let schemas = try reader.read(response).orRemoteError().object?["results"]?.array else {
            throw .faulty(status: response.status.code, reason: "the list of schemas has no results")
        }
        return schemas.compactMap { $0.object.flatMap(ClassSchema.init(json:)) }
    }
}
