import HTTPServer
import LocalStore
import ParseModel

/// `/schemas` and `/purge` of a standalone gateway, for holders of its master key; a replica's are the remote's.
struct SchemaRoutes: Sendable {
    let store: any ObjectStore
    let answers: Answers

    /// All classes, or one.
    /// - Throws: `APIError.masterKeyRequired`, or `ParseError` 103 where there is no such class.
    func show(_ call: Call) throws -> HTTPServerResponse {
        try call.requireMaster()
        guard let className = call.parameters.first else { return answers.results(try store.schemas().map(\.json)) }
        guard let schema = try store.schema(of: className) else { throw ParseError.noSuchClass(className) }
        return answers.json(schema.json)
    }

    /// - Throws: `APIError.masterKeyRequired`, or `ParseError` for a body that cannot be used.
    func change(_ call: Call) throws -> @Sendable () async throws -> HTTPServerResponse {
        try call.requireMaster()
        switch call.endpoint {
        case .updateSchema: return try update(call.parameters[0], try call.parse.body.fields)
        case .deleteSchema: return try drop(call.parameters[0])
        case .purgeClass:
            return { [store, answers, name = call.parameters[0]] in
                try await store.dropObjects(of: name)
                return answers.json([:])
            }
        default: return try make(call, try call.parse.body.fields)
        }
    }

    private func make(_ call: Call, _ body: JSONObject) throws -> @Sendable () async throws -> HTTPServerResponse {
        let named = Self.className(in: body)
        if let inPath = call.parameters.first, let named, named != inPath { throw Self.mismatch(named, inPath) }
        guard let className = call.parameters.first ?? named else {
            throw ParseError(.missingClassName, "POST /schemas needs a class name.")
        }
        return { [store, answers] in
            let schema = try await store.changeSchema(className) { before in
                guard before == nil else {
                    throw ParseError(.invalidClassName, "Class \(className) already exists.")
                }
                return SchemaChange(try ClassSchema(making: className, body))
            }
            return answers.json(schema.json)
        }
    }

    private func update(
        _ className: String, _ body: JSONObject
    ) throws -> @Sendable () async throws -> HTTPServerResponse {
        if let named = Self.className(in: body), named != className { throw Self.mismatch(named, className) }
        return { [store, answers] in
            let schema = try await store.changeSchema(className) { before in
                guard var schema = before else { throw ParseError.noSuchClass(className) }
                let deleted = try schema.change(body)
                return SchemaChange(schema, deleted: deleted)
            }
            return answers.json(schema.json)
        }
    }

    private func drop(_ className: String) throws -> @Sendable () async throws -> HTTPServerResponse {
        guard ClassName.isPossible(className) else { throw ParseError.impossibleClassName(className) }
        return { [store, answers] in
            try await store.dropSchema(className)
            return answers.json([:])
        }
    }

    /// Nil where the body names no class.
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
