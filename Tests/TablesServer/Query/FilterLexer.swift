/// Splits a filter into tokens.
struct FilterLexer {
    struct Token {
        enum Kind: Equatable {
            /// A name, an operator or a function.
            case word(String)
            case number(String)
            /// A date without quotes (OData 4).
            case date(String)
            /// A text in quotes, without them.
            case text(String)
            case symbol(Character)
            case end
        }

        let kind: Kind
        /// The position in the filter, from 1, for error texts.
        let position: Int
    }

    private let characters: [Character]
    private let dialect: TablesServer.Dialect
    private var at = 0

    private init(_ text: String, dialect: TablesServer.Dialect) {
        characters = Array(text)
        self.dialect = dialect
    }

    /// Splits a text into tokens. The last token is `.end`.
    /// - Throws: `QueryError.malformed` for a text without its closing quote.
    static func tokens(of text: String, dialect: TablesServer.Dialect) throws(QueryError) -> [Token] {
        var lexer = FilterLexer(text, dialect: dialect)
        var tokens: [Token] = []
        while true {
            let token = try lexer.next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    private mutating func next() throws(QueryError) -> Token {
        while at < characters.count, characters[at].isWhitespace { at += 1 }
        let position = at + 1
        guard at < characters.count else { return Token(kind: .end, position: position) }
        let first = characters[at]
        if first == "'" { return Token(kind: .text(try text()), position: position) }
        if first.isLetter || first == "_" {
            return Token(
                kind: .word(take { $0.isLetter || $0.isNumber || "_./".contains($0) }), position: position)
        }
        if first.isNumber {
            if dialect == .community, startsDate {
                return Token(kind: .date(take { $0.isNumber || "-:.+TZ".contains($0) }), position: position)
            }
            return Token(kind: .number(number()), position: position)
        }
        at += 1
        return Token(kind: .symbol(first), position: position)
    }

    /// Whether a date begins here, such as `2012-12-25`.
    private var startsDate: Bool {
        guard at + 4 < characters.count else { return false }
        return characters[at..<at + 4].allSatisfy(\.isNumber) && characters[at + 4] == "-"
    }

    private mutating func take(_ isPart: (Character) -> Bool) -> String {
        let start = at
        while at < characters.count, isPart(characters[at]) { at += 1 }
        return String(characters[start..<at])
    }

    private mutating func number() -> String {
        var text = take { $0.isNumber || $0 == "." }
        if at < characters.count, characters[at] == "e" || characters[at] == "E" {
            text.append("e")
            at += 1
            if at < characters.count, characters[at] == "-" || characters[at] == "+" {
                text.append(characters[at])
                at += 1
            }
            text += take(\.isNumber)
        }
        return text
    }

    private mutating func text() throws(QueryError) -> String {
        var text = ""
        at += 1
        while at < characters.count {
            let character = characters[at]
            at += 1
            if character != "'" {
                text.append(character)
            } else if at < characters.count, characters[at] == "'" {
                text.append("'")
                at += 1
            } else {
                return text
            }
        }
        throw .malformed("Unterminated string literal (at index \(characters.count + 2))")
    }
}
