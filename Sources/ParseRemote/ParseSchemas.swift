import ParseModel
import RemoteService

/// Reads the schemas of a Parse Server, either alone or in the same request as the queries of a pull. The server
/// requires the master key.
struct ParseSchemas: RemoteSchemaService {
    let exchange: ParseExchange

    func classSchemas(of classes: [String]) async throws(RemoteError) -> [ClassSchema]? {
        try await classSchemas()
    }

    /// The schemas of all classes of the server.
    func classSchemas() async throws(RemoteError) -> [ClassSchema] {
        let response = try await exchange.response(to: exchange.requests.get("/schemas"))
        guard let schemas = ClassSchema.all(in: try exchange.reader.read(response).orRemoteError()) else {
            throw .faulty(status: response.status.code, reason: "the list of schemas has no results")
        }
        return schemas
    }

    var pulledSchemas: PulledSchemas? {
        exchange.configuration.masterKey == nil ? nil : exchange.configuration.pulledSchemas
    }

    /// Sends the queries of a pull. If the schemas are wanted, reads them in the same request as the last batch of
    /// queries.
    func listWithSchemas(_ queries: [ListQuery]) async throws(RemoteError) -> [ListReply] {
        let batchMax = exchange.batchMax
        guard let pulledSchemas, !queries.isEmpty, batchMax > 1, let number = pulledSchemas.beginIfWanted() else {
            return try await exchange.list(queries)
        }
        let rest = queries.count % batchMax
        // The last batch gets the request for the schemas in addition. If all batches are full, its last query moves to
        // a batch of its own.
        let (before, last) = queries.split(at: queries.count - (rest == 0 ? 1 : rest))
        let replies = before.isEmpty ? [] : try await exchange.list(before)
        return replies + (try await listWithSchemas(last, pulledSchemas, number))
    }

    /// Sends queries and the request for the schemas in one batch.
    private func listWithSchemas(
        _ queries: [ListQuery], _ pulledSchemas: PulledSchemas, _ number: Int
    ) async throws(RemoteError) -> [ListReply] {
        let items = queries.map(exchange.requests.item) + [exchange.requests.item(reading: "/schemas")]
        let response = try await exchange.response(to: exchange.requests.batch(items, isRepeatable: true))
        switch exchange.reader.readBatch(response, count: items.count) {
        case .success(let answers):
            pulledSchemas.note(answers.last, of: number)
            let serverTime = ParseDate(dateOf: response)
            return zip(queries, answers).map { ListReply(query: $0, answer: $1, serverTime: serverTime) }
        // The queries without the request for the schemas may be small enough, or are sent one by one.
        case .failure(.refused), .failure(.tooLarge), .failure(.tooMuch): return try await exchange.list(queries)
        case .failure(let failure): throw failure.remoteError
        }
    }
}

extension Array {
    fileprivate func split(at index: Int) -> ([Element], [Element]) { (Array(self[..<index]), Array(self[index...])) }
}

extension ClassSchema {
    /// The schemas in the answer to `GET /schemas`.
    fileprivate static func all(in answer: JSONValue) -> [ClassSchema]? {
        answer.object?["results"]?.array?.compactMap { $0.object.flatMap(ClassSchema.init(json:)) }
    }
}

extension PulledSchemas {
    /// Keeps the schemas of an answer. Ignores an empty list, because every server describes its built-in classes.
    fileprivate func note(_ answer: ParseAnswer?, of number: Int) {
        guard let answer = try? answer?.get(), let schemas = ClassSchema.all(in: answer), !schemas.isEmpty else {
            return
        }
        note(schemas, of: number)
    }
}
