/// Converts bytes to text, and back: two hexadecimal digits for each byte, in lower case.
package enum Hexadecimal {
    package static func text(of bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (i, byte) in bytes.enumerated() {
                text[2 * i] = digit(byte >> 4)
                text[2 * i + 1] = digit(byte & 15)
            }
            return 2 * bytes.count
        }
    }

    /// The bytes of a text in the form that `text` produces; nil for any other text.
    package static func bytes(of text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2), digits.allSatisfy(isDigit) else { return nil }
        let value = { (digit: UInt8) in
            digit < UInt8(ascii: "a") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
        }
        return stride(from: 0, to: digits.count, by: 2).map { value(digits[$0]) << 4 | value(digits[$0 + 1]) }
    }

    /// Whether a byte is the ASCII code of a digit from `text`: `0–9` or `a–f`.
    package static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
