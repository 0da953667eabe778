import ParseModel

/// One request with the time, the user and the ids for its handling.
struct Turn: Sendable {
    let request: TablesRequest
    /// Microseconds since 1970.
    let now: Int64
    /// The user of the request's token; nil without a valid token.
    let user: String?
    let makeId: @Sendable () -> String

    /// Whether the user may see the row.
    func sees(_ row: Row, of table: TablesServer.Table) -> Bool {
        !table.ownsRowsByUser || row.fields["userId"]?.string == user
    }

    /// The text between the quotes of `If-Match`; the whole header without quotes; nil without the header or with an empty
    /// text.
    var expectedVersion: String? {
        guard let header = request.headers["if-match"] else { return nil }
        let isQuoted = header.count > 1 && header.hasPrefix("\"") && header.hasSuffix("\"")
        let text = isQuoted ? String(header.dropFirst().dropLast()) : header
        return text.isEmpty ? nil : text
    }
}

/// A response that ends the handling of a request.
struct EarlyAnswer: Error {
    let answer: TablesAnswer

    /// A response in the format of the Node server's errors.
    static func error(_ status: Int, _ message: String) -> EarlyAnswer {
        EarlyAnswer(answer: .json(status, ["error": .string(message)]))
    }
}
