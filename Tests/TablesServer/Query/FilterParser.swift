/// Parses the texts of `$filter` and `$orderby`. The texts of errors are those of the Node server.
struct FilterParser {
    private let text: String
    private let tokens: [FilterLexer.Token]
    private let dialect: TablesServer.Dialect
    private var at = 0

    private init(_ text: String, _ dialect: TablesServer.Dialect) throws(QueryError) {
        self.text = text
        self.dialect = dialect
        tokens = try FilterLexer.tokens(of: text, dialect: dialect)
    }

    /// Parses a filter.
    /// - Throws: `QueryError.malformed`.
    static func filter(_ text: String, dialect: TablesServer.Dialect) throws(QueryError) -> FilterExpression {
        var parser = try FilterParser(text, dialect)
        let expression = try parser.disjunction()
        guard parser.token.kind == .end else { throw parser.operatorExpected() }
        return expression
    }

    /// Parses an order: expressions, each with an optional `asc` or `desc`. The Node server takes every other word for `asc`.
    /// - Throws: `QueryError.malformed`.
    static func order(
        _ text: String, dialect: TablesServer.Dialect
    ) throws(QueryError) -> [(expression: FilterExpression, isDescending: Bool)] {
        var parser = try FilterParser(text, dialect)
        var keys: [(expression: FilterExpression, isDescending: Bool)] = []
        repeat {
            let expression = try parser.disjunction()
            var isDescending = false
            if case .word(let word) = parser.token.kind {
                guard dialect == .azure || word == "asc" || word == "desc" else { throw parser.operatorExpected() }
                isDescending = word == "desc"
                parser.at += 1
            }
            keys.append((expression, isDescending))
        } while parser.take(",")
        guard parser.token.kind == .end else { throw parser.operatorExpected() }
        return keys
    }

    private var token: FilterLexer.Token { tokens[at] }

    private mutating func take(_ symbol: Character) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        at += 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        guard token.kind == .word(word) else { return false }
        at += 1
        return true
    }

    private mutating func require(_ symbol: Character) throws(QueryError) {
        guard !take(symbol) else { return }
        if token.kind == .end, symbol == ")" { throw .malformed("Unbalanced parentheses in \(text)") }
        throw operatorExpected()
    }

    private func operatorExpected() -> QueryError {
        .malformed("')' or operator expected (at index \(token.position))")
    }
}

// MARK: Operators

extension FilterParser {
    private mutating func disjunction() throws(QueryError) -> FilterExpression {
        var left = try conjunction()
        while take(word: "or") { left = .or(left, try conjunction()) }
        return left
    }

    private mutating func conjunction() throws(QueryError) -> FilterExpression {
        var left = try comparison()
        while take(word: "and") { left = .and(left, try comparison()) }
        return left
    }

    private mutating func comparison() throws(QueryError) -> FilterExpression {
        let left = try sum()
        guard case .word(let word) = token.kind else { return left }
        if let operation = FilterExpression.Comparison(rawValue: word) {
            at += 1
            return .comparison(operation, left, try sum())
        }
        guard dialect == .community, take(word: "in") else { return left }
        try require("(")
        return .membership(left, try list())
    }

    private mutating func sum() throws(QueryError) -> FilterExpression {
        var left = try product()
        while let operation = arithmetic([.add, .sub]) { left = .arithmetic(operation, left, try product()) }
        return left
    }

    private mutating func product() throws(QueryError) -> FilterExpression {
        var left = try unary()
        while let operation = arithmetic([.mul, .div, .mod]) { left = .arithmetic(operation, left, try unary()) }
        return left
    }

    private mutating func arithmetic(_ choice: [FilterExpression.Arithmetic]) -> FilterExpression.Arithmetic? {
        guard case .word(let word) = token.kind, let operation = FilterExpression.Arithmetic(rawValue: word),
            choice.contains(operation)
        else { return nil }
        at += 1
        return operation
    }

    private mutating func unary() throws(QueryError) -> FilterExpression {
        if take(word: "not") { return .not(try unary()) }
        if take("-") { return .negative(try unary()) }
        return try primary()
    }
}

// MARK: Values

extension FilterParser {
    private mutating func primary() throws(QueryError) -> FilterExpression {
        let token = self.token
        at += 1
        switch token.kind {
        case .symbol("("):
            let inner = try disjunction()
            try require(")")
            return inner
        case .text(let text): return .literal(.text(text))
        case .number(let text):
            guard let number = Double(text) else { throw .malformed("Invalid number (at index \(token.position))") }
            return .literal(.number(number))
        case .date(let text): return .literal(try time(text, type: "date", at: token.position))
        case .word(let word): return try value(word, at: token.position)
        case .symbol, .end:
            at -= 1
            throw .malformed("Expression expected (at index \(token.position))")
        }
    }

    private mutating func value(_ word: String, at position: Int) throws(QueryError) -> FilterExpression {
        switch (word, token.kind) {
        case ("null", _): return .literal(.null)
        case ("true", _): return .literal(.bool(true))
        case ("false", _): return .literal(.bool(false))
        case ("datetimeoffset", .text(let text)), ("datetime", .text(let text)):
            guard dialect == .azure else { throw operatorExpected() }
            defer { at += 1 }
            return .literal(try time(text, type: word, at: token.position))
        case ("cast", .symbol("(")) where dialect == .community: return try cast()
        case (_, .symbol("(")):
            guard let function = FilterFunction(rawValue: word),
                FilterFunction.known(in: dialect).contains(function)
            else { throw .malformed("Unknown identifier '\(word)' (at index \(position))") }
            at += 1
            return .call(function, try list())
        default: return .column(word)
        }
    }

    /// Parses the rest of `cast(2012-12-25T00:00:00.000Z,Edm.DateTimeOffset)`.
    private mutating func cast() throws(QueryError) -> FilterExpression {
        at += 1
        let inner = try disjunction()
        guard take(","), take(word: "Edm.DateTimeOffset") else { throw operatorExpected() }
        try require(")")
        guard case .literal(.text(let text)) = inner else { return inner }
        return .literal(try time(text, type: "cast", at: token.position))
    }

    /// Parses the rest of a list after its opening parenthesis.
    private mutating func list() throws(QueryError) -> [FilterExpression] {
        var parts: [FilterExpression] = []
        repeat { parts.append(try disjunction()) } while take(",")
        try require(")")
        return parts
    }

    /// The Node server reads a time in milliseconds, as JavaScript's `Date` does.
    private func time(_ text: String, type: String, at position: Int) throws(QueryError) -> Cell {
        guard let time = WireTime.microseconds(text) else {
            throw .malformed("Invalid '\(type)' type creation expression (at index \(position))")
        }
        return .time(dialect == .azure ? time - time % 1000 : time)
    }
}
