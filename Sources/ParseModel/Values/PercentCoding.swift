/// Percent-encoding as URLs (RFC 3986 §2.1) and HTML forms have it.
package enum PercentCoding {
    /// The text of one segment of a path.
    /// - Returns: nil where an escape lacks its digits or the text holds a NUL, which no id or name has.
    package static func decodedPathSegment(_ bytes: Substring.UTF8View) -> String? {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == 0 }) else { return text(of: bytes) }
        guard let decoded = decode(bytes, plusIsSpace: false, strictly: true), !decoded.contains(0) else { return nil }
        return text(of: decoded)
    }

    /// The parameters of a query, or of a body that is a form: all as strings, `+` is a space, and a broken escape stays as it
    /// is. A name that comes several times has all its texts, as an array, as in Express.
    package static func parameters(ofQuery query: [UInt8]) -> JSONObject {
        var names: [String] = []
        var texts: [String: [JSONValue]] = [:]
        for pair in query.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map { text(of: decode($0, plusIsSpace: true, strictly: false) ?? []) }
            if texts[parts[0]] == nil { names.append(parts[0]) }
            texts[parts[0], default: []].append(.string(parts.count > 1 ? parts[1] : ""))
        }
        return JSONObject(
            names.map { name in
                let all = texts[name] ?? []
                return (name, all.count == 1 ? all[0] : .array(all))
            })
    }

    /// A text with all bytes escaped but RFC 3986's unreserved characters (§2.3).
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 2)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return self.text(of: bytes)
    }

    /// A text as one segment of a path. A segment of dots alone would be taken for a step upwards, so its dots are escaped too.
    package static func encodedPathSegment(_ text: String) -> String {
        text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
            ? String(repeating: "%2E", count: text.utf8.count) : encoded(text)
    }

    private static func text(of bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool, strictly: Bool) -> [UInt8]? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
                if digits.count == 2 {
                    decoded.append(UInt8(digits[0] << 4 | digits[1]))
                    rest = rest.dropFirst(2)
                } else if strictly {
                    return nil
                } else {
                    decoded.append(byte)
                }
            } else {
                decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return decoded
    }
}
