import HTTPTypes
import ParseModel
import StoreService

/// Parses the preconditions of a write: the states of the object in which the write is allowed.
enum Preconditions {
    /// Parses `If-Match` (RFC 9110 §13.1.1): `*`, or tags separated by commas. Weak tags are accepted but match
    /// nothing. A tag in Tidegate's own form may omit its quotation marks.
    /// - Throws: `ParseError` 102 (invalid query) for any other text.
    static func match(_ text: String) throws(ParseError) -> TagMatch {
        var rest = text.utf8[...]
        skipBlanks(&rest)
        if rest.first == UInt8(ascii: "*") {
            rest = rest.dropFirst()
            skipBlanks(&rest)
            guard rest.isEmpty else { throw unreadable }
            return .exists
        }
        var tags: Set<String> = []
        while true {
            guard let tag = parseTag(&rest) else { throw unreadable }
            if let strong = tag.strong { tags.insert(strong) }
            skipBlanks(&rest)
            if rest.isEmpty { return .tags(tags) }
            guard rest.first == UInt8(ascii: ",") else { throw unreadable }
            rest = rest.dropFirst()
            skipBlanks(&rest)
        }
    }

    private static let unreadable = ParseError(
        .invalidQuery, "If-Match must be * or a comma-separated list of quoted tags.")

    private static func skipBlanks(_ rest: inout Substring.UTF8View) {
        rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// Whether a token has the form of `ContentMark.tag` without quotation marks, or that of earlier versions, 32 hexadecimal digits.
    private static func isOwnTag(_ token: Substring.UTF8View) -> Bool {
        let numbers = token.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isDigit = { (byte: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        switch numbers.count {
        case 1: return token.count == 32
        case 2: return numbers.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
        default: return false
        }
    }

    /// Parses one tag at the beginning of `rest`, and removes it from `rest`.
    /// - Returns: nil if there is no tag. `strong` is the tag with its quotation marks; nil for a weak tag.
    private static func parseTag(_ rest: inout Substring.UTF8View) -> (strong: String?, isWeak: Bool)? {
        let quote = UInt8(ascii: "\"")
        let isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.first == quote else {
            let token = rest.prefix { Hexadecimal.isDigit($0) || $0 == UInt8(ascii: "-") }
            guard !isWeak, isOwnTag(token) else { return nil }
            rest = rest.dropFirst(token.count)
            return ("\"\(Substring(token))\"", false)
        }
        let inner = rest.dropFirst().prefix { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
        let after = rest.dropFirst(1 + inner.count)
        guard after.first == quote else { return nil }
        rest = after.dropFirst()
        return (isWeak ? nil : "\"\(Substring(inner))\"", isWeak)
    }

    /// Parses `_base`, the `updatedAt` of the state on which a write is based: an ISO string or a Date.
    /// - Throws: `ParseError` 111 (incorrect type) for any other value.
    static func base(_ value: JSONValue) throws(ParseError) -> ParseDate {
        guard let date = value.string.flatMap(ParseDate.init(iso:)) ?? ParseDate(value) else {
            throw ParseError(
                .incorrectType, "_base must be the updatedAt that the write is based on: an ISO string or a Date.")
        }
        return date
    }
}
