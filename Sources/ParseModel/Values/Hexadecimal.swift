/// Bytes as text: two hexadecimal digits a byte, in lower case.
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

    /// Whether a byte is the ASCII code of a digit that `text` makes.
    package static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }
}
