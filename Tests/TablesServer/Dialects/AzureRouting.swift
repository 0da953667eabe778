import ParseModel

/// Routes requests as the Node server 3.0.1 of Azure Mobile Apps does.
struct AzureRouting {
    let request: TablesRequest
    let now: Int64

    private static let methods = "GET,HEAD,POST,PATCH,DELETE"

    /// The answer with the headers of all answers.
    static func finished(_ answer: TablesAnswer) -> TablesAnswer {
        var answer = answer.with("x-zumo-server-version", "node-3.0.1")
        // Express adds a weak entity tag to a response without one.
        if !answer.headers.contains(where: { $0.name == "ETag" }), !answer.body.isEmpty {
            let sum = answer.body.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
            let length = String(answer.body.count, radix: 16)
            answer = answer.with("ETag", "W/\"\(length)-\(String(sum, radix: 16))\"")
        }
        return answer
    }

    func decision(_ tables: inout Tables) -> TableDecision {
        do throws(EarlyAnswer) {
            return try route(&tables)
        } catch {
            return .answer(error.answer)
        }
    }

    private func route(_ tables: inout Tables) throws(EarlyAnswer) -> TableDecision {
        let user = try authenticated(tables.users)
        if request.method == "GET", request.path == "/swagger" {
            guard tables.answersSwagger else {
                return .answer(
                    .html(
                        404,
                        "To access swagger definitions, you must enable swagger support by adding swagger: true to "
                            + "your configuration"))
            }
            return .answer(.json(200, Swagger.document(of: tables.rows.values.filter { !$0.table.isHidden })))
        }
        guard let path = TablePath(request.path), let table = tables.visibleTable(path.table),
            request.method != "PUT"
        else { return .answer(unknownRoute) }
        if let refusal = refusal(of: table, hasId: path.id != nil, user) { return .answer(refusal) }
        if let id = path.id, path.decodedId == nil { throw .error(500, "Failed to decode param '\(id)'") }
        let turn = Turn(request: request, now: now, user: user, makeId: tables.makeId)
        return try AzureTable(turn: turn).decision(path.decodedId, in: &tables[table.name])
    }

    /// The response to a method or a request that reaches no row; nil for every other request.
    private func refusal(of table: TablesServer.Table, hasId: Bool, _ user: String?) -> TablesAnswer? {
        if request.method == "OPTIONS" { return .html(200, Self.methods).with("Allow", Self.methods) }
        let version = request.headers["zumo-api-version"] ?? request.parameter(anyCase: "zumo-api-version") ?? ""
        guard version == "2.0" || version.hasPrefix("2.0.") else {
            let message =
                "An invalid API version was specified in the request, this request needs to specify a "
                + "ZUMO-API-VERSION of 2.0.0."
            return .json(400, ["error": .string(message)])
        }
        if user == nil, table.needsToken || table.ownsRowsByUser {
            return .html(401, "You must be logged in to use this application")
        }
        let operations = ["POST": hasId ? "undelete" : "insert", "PATCH": "update", "DELETE": "delete"]
        if let operation = operations[request.method] {
            return table.isReadOnly ? .html(table.refusalStatus, "Method \(operation) is not allowed") : nil
        }
        return request.method == "GET" ? nil : .json(500, [:])
    }

    /// The user of the token in `X-ZUMO-AUTH`; nil without the header.
    /// - Throws: 401 for a bad or expired token.
    private func authenticated(_ users: Users) throws(EarlyAnswer) -> String? {
        guard let token = request.headers["x-zumo-auth"], request.method != "OPTIONS" else { return nil }
        if let user = users.tokens[token] { return user }
        if let time = users.expired[token] {
            throw EarlyAnswer(
                answer: .json(
                    401, ["name": "TokenExpiredError", "message": "jwt expired", "expiredAt": .string(time)]))
        }
        throw EarlyAnswer(answer: .json(401, ["name": "JsonWebTokenError", "message": "jwt malformed"]))
    }

    private var unknownRoute: TablesAnswer {
        .html(404, "Cannot \(request.method) \(request.target.replacing("&", with: "&amp;"))\n")
    }
}
