/// A strict JSON parser (RFC 8259) for UTF-8 bytes, with limits for the depth and the number of values.
package struct JSONReader {
    /// A syntax error, or a text that exceeds a limit. The message of a syntax error is similar to that of V8, the JavaScript
    /// engine of Parse Server.
    package struct SyntaxError: Error, Equatable {
        package let message: String
        /// The offset of the error in bytes.
        package let offset: Int
        /// Whether the text exceeds a limit for depth or number of values. Such a text may still be valid JSON.
        package var isOverBound = false
    }

    /// The default limit for the nesting of arrays and objects.
    package static let depthMax = 128
    /// The limit for the nesting of a response, which can contain an object of maximum depth inside further levels.
    package static let answerDepthMax = 2 * depthMax
    /// The limit for the nesting of JSON in the local database, which stores field values inside further levels.
    package static let storedDepthMax = 4 * depthMax
    /// The default limit for the number of values in one text, nested values included. A response of 80 MB has about three
    /// million values. A value takes up to 200 bytes of memory.
    package static let valuesMax = 5_000_000

    private let bytes: [UInt8]
    private let depthMax: Int
    private var valuesLeft: Int
    private var at = 0

    private init(bytes: [UInt8], depthMax: Int, valuesMax: Int) {
        self.bytes = bytes
        self.depthMax = depthMax
        valuesLeft = valuesMax
    }

    /// Parses UTF-8 bytes.
    /// - Throws: `SyntaxError` if the bytes are not exactly one JSON value, or exceed a limit.
    package static func read(
        _ bytes: [UInt8], depthMax: Int = depthMax, valuesMax: Int = valuesMax
    ) throws -> JSONValue {
        var reader = JSONReader(bytes: bytes, depthMax: depthMax, valuesMax: valuesMax)
        reader.skipSpace()
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.at == bytes.count else { throw reader.unexpected() }
        return value
    }

    /// Parses a string.
    /// - Throws: `SyntaxError` if the text is not exactly one JSON value, or exceeds a limit.
    package static func read(_ text: String, depthMax: Int = depthMax) throws -> JSONValue {
        try read(Array(text.utf8), depthMax: depthMax)
    }

    private mutating func value(depth: Int) throws(SyntaxError) -> JSONValue {
        guard at < bytes.count else { throw end() }
        guard valuesLeft > 0 else {
            throw SyntaxError(message: "JSON has too many values", offset: at, isOverBound: true)
        }
        valuesLeft -= 1
        switch bytes[at] {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object(depth: Int) throws(SyntaxError) -> JSONObject {
        try descend(to: depth)
        var object = JSONObject()
        skipSpace()
        if take(UInt8(ascii: "}")) { return object }
        object.reserveCapacity(4)
        while true {
            guard at < bytes.count else { throw end() }
            guard bytes[at] == UInt8(ascii: "\"") else { throw unexpected() }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected() }
            skipSpace()
            object[key] = try value(depth: depth)
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
                continue
            }
            guard take(UInt8(ascii: "}")) else { throw unexpected() }
            return object
        }
    }

    private mutating func array(depth: Int) throws(SyntaxError) -> [JSONValue] {
        try descend(to: depth)
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return elements }
        while true {
            elements.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: ",")) {
                skipSpace()
                continue
            }
            guard take(UInt8(ascii: "]")) else { throw unexpected() }
            return elements
        }
    }

    private mutating func descend(to depth: Int) throws(SyntaxError) {
        guard depth <= depthMax else {
            throw SyntaxError(
                message: "JSON is nested deeper than \(depthMax) levels", offset: at, isOverBound: true)
        }
        at += 1
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(SyntaxError) -> JSONValue {
        for byte in word.utf8 where !take(byte) { throw unexpected() }
        return value
    }

    private mutating func number() throws(SyntaxError) -> JSONNumber {
        let start = at
        _ = take(UInt8(ascii: "-"))
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return JSONNumber(checked: String(decoding: bytes[start..<at], as: UTF8.self))
    }

    private mutating func digits() throws(SyntaxError) {
        guard at < bytes.count else { throw end() }
        guard bytes[at].isDigit else { throw unexpected() }
        while at < bytes.count, bytes[at].isDigit { at += 1 }
    }
}

// MARK: Strings

extension JSONReader {
    private mutating func string() throws(SyntaxError) -> String {
        let start = at + 1
        var isASCII = skipPlain(from: start)
        if take(UInt8(ascii: "\"")) { return try text(bytes[start..<at - 1], isASCII: isASCII) }
        var unescaped = Array(bytes[start..<at])
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "\""):
                at += 1
                return try text(unescaped[...], isASCII: isASCII)
            case UInt8(ascii: "\\"):
                at += 1
                isASCII = try escape(into: &unescaped) && isASCII
            default:
                throw SyntaxError(
                    message: "Bad control character in string literal in JSON at position \(at)", offset: at)
            }
            let resume = at
            isASCII = skipPlain(from: resume) && isASCII
            unescaped += bytes[resume..<at]
        }
        throw SyntaxError(message: "Unterminated string in JSON at position \(at)", offset: at)
    }

    /// Advances from `start` to the next quote, backslash or control character, or to the end of the text.
    /// - Returns: true if all skipped bytes were ASCII.
    private mutating func skipPlain(from start: Int) -> Bool {
        var place = start
        var seen: UInt8 = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            seen |= byte
            place += 1
        }
        at = place
        return seen < 0x80
    }

    private func text(_ bytes: ArraySlice<UInt8>, isASCII: Bool) throws(SyntaxError) -> String {
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SyntaxError(message: "Malformed UTF-8 in a string in JSON at position \(at)", offset: at)
        }
        return text
    }

    /// Reads the rest of an escape sequence, after the backslash, and appends the escaped character to `unescaped`.
    /// - Returns: true if the escaped character is ASCII.
    private mutating func escape(into unescaped: inout [UInt8]) throws(SyntaxError) -> Bool {
        guard at < bytes.count else { throw end() }
        let byte = bytes[at]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"):
            at += 1
            let scalar = try unicodeEscape()
            unescaped.append(contentsOf: Array(String(scalar).utf8))
            return scalar.isASCII
        default:
            throw SyntaxError(message: "Bad escaped character in JSON at position \(at)", offset: at)
        }
        at += 1
        return true
    }

    /// Reads the four digits of a `\u` escape, and the second escape of a surrogate pair. A lone surrogate becomes
    /// U+FFFD, as in JavaScript's UTF-8 encoder.
    private mutating func unicodeEscape() throws(SyntaxError) -> Unicode.Scalar {
        let high = UInt32(try hexDigits())
        if (0xD800..<0xDC00).contains(high), at + 1 < bytes.count, bytes[at] == UInt8(ascii: "\\"),
            bytes[at + 1] == UInt8(ascii: "u")
        {
            let resume = at
            at += 2
            let low = UInt32(try hexDigits())
            if (0xDC00..<0xE000).contains(low) {
                return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
            }
            at = resume
        }
        return Unicode.Scalar(high) ?? "\u{FFFD}"
    }

    private mutating func hexDigits() throws(SyntaxError) -> UInt16 {
        var code: UInt16 = 0
        for _ in 0..<4 {
            guard at < bytes.count else { throw end() }
            let byte = bytes[at]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): code = code << 4 | UInt16(byte - 0x30)
            case UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                code = code << 4 | UInt16((byte | 0x20) - 0x57)
            default: throw SyntaxError(message: "Bad Unicode escape in JSON at position \(at)", offset: at)
            }
            at += 1
        }
        return code
    }
}

// MARK: Steps and faults

extension JSONReader {
    private mutating func take(_ byte: UInt8) -> Bool {
        guard at < bytes.count, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    private mutating func skipSpace() {
        while at < bytes.count {
            switch bytes[at] {
            case 0x20, 0x0A, 0x0D, 0x09: at += 1
            default: return
            }
        }
    }

    private func end() -> SyntaxError { SyntaxError(message: "Unexpected end of JSON input", offset: at) }

    private func unexpected() -> SyntaxError {
        guard at < bytes.count else { return end() }
        let found = bytes[at] < 0x80 ? String(Character(Unicode.Scalar(bytes[at]))) : "byte"
        return SyntaxError(message: "Unexpected token '\(found)' in JSON at position \(at)", offset: at)
    }
}
