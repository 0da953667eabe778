import HTTPServer
import ParseModel
import RemoteService
import StoreService

/// The routes of `/schemas` and `/purge`. A standalone gateway answers them, and requires its master key. A replica
/// forwards their requests. If the remote answers no calls, the replica shows the schemas in its file, and refuses
/// changes.
struct SchemaRoutes: Sendable {
    let schemas: any SchemaStore
    let responses: ResponseBuilder

    var routes: [Route] {
        let shows = { (answer: AnswerForm) in
            RoutePolicy.remote(answer, .masterOnly).with {
                ($0.forwarding.showsSchemas, $0.forwarding.hasLocalAnswer) = (true, true)
            }
        }
        let changes = { (action: String) in
            RoutePolicy.remote(.schema, .masterOnly).with {
                ($0.forwarding.showsSchemas, $0.forwarding.changesSchema) = (true, true)
                $0.readOnlyKey = .nothing(action: action)
            }
        }
        let empties = { (action: String) in
            RoutePolicy.remote(.object, .masterOnly).with {
                $0.forwarding.emptiesClass = true
                $0.readOnlyKey = .nothing(action: action)
            }
        }
        let drops = empties("delete a schema").with { $0.forwarding.changesSchema = true }
        let schema = "/schemas/{className}"
        return [
            Route(.get, "/schemas", "listSchemas", shows(.results)) { _ in
                .now(responses.results(try schemas.all().map(\.json)))
            },
            Route(.post, "/schemas", "createSchema", changes("create a schema"), make),
            Route(.get, schema, "getSchema", shows(.schema), get),
            Route(.post, schema, "createNamedSchema", changes("create a schema"), make),
            Route(.put, schema, "updateSchema", changes("update a schema"), update),
            Route(.delete, schema, "deleteSchema", drops, drop),
            Route(.delete, "/purge/{className}", "purgeClass", empties("purge a schema")) { request in
                .later {
                    try await schemas.dropObjects(of: request.parameters[0])
                    return responses.json([:])
                }
            },
        ]
    }

    /// - Throws: `ParseError` 103 (invalid class name) if the class does not exist.
    private func get(_ request: RoutedRequest) throws -> RouteReply {
        let className = request.parameters[0]
        guard let schema = try schemas.schema(of: className) else { throw ParseError.noSuchClass(className) }
        return .now(responses.json(schema.json))
    }

    private func make(_ request: RoutedRequest) throws -> RouteReply {
        let body = try request.parse.body.fields
        let named = Self.className(in: body)
        if let inPath = request.parameters.first, let named, named != inPath { throw Self.mismatch(named, inPath) }
        guard let className = request.parameters.first ?? named else {
            throw ParseError(.missingClassName, "POST /schemas needs a class name.")
        }
        return .later {
            let schema = try await schemas.changeSchema(className) { before in
                guard before == nil else {
                    throw ParseError(.invalidClassName, "Class \(className) already exists.")
                }
                return SchemaChange(try ClassSchema(making: className, body))
            }
            return responses.json(schema.json)
        }
    }

    private func update(_ request: RoutedRequest) throws -> RouteReply {
        let className = request.parameters[0]
        let body = try request.parse.body.fields
        if let named = Self.className(in: body), named != className { throw Self.mismatch(named, className) }
        return .later {
            let schema = try await schemas.changeSchema(className) { before in
                guard var schema = before else { throw ParseError.noSuchClass(className) }
                let deleted = try schema.change(body)
                return SchemaChange(schema, deleted: deleted)
            }
            return responses.json(schema.json)
        }
    }

    private func drop(_ request: RoutedRequest) throws -> RouteReply {
        let className = request.parameters[0]
        guard ClassName.isValid(className) else { throw ParseError.invalidClassName(className) }
        return .later {
            try await schemas.dropSchema(className)
            return responses.json([:])
        }
    }

    /// The class name in the body; nil if it is missing, null or empty. A value of another type gives its JSON text.
    private static func className(in body: JSONObject) -> String? {
        switch body["className"] {
        case nil, .null, "": nil
        case .string(let name): name
        case .some(let value): value.jsonText
        }
    }

    private static func mismatch(_ named: String, _ inPath: String) -> ParseError {
        ParseError(.invalidClassName, "Class name mismatch between \(named) and \(inPath).")
    }
}
