/// Percent-encoding for URLs (RFC 3986 §2.1) and HTML forms.
package enum PercentCoding {
    /// Decodes one segment of a URL path.
    /// - Returns: nil for an invalid escape, and for a text with U+0000, because no id or name contains that character.
    package static func decodedPathSegment(_ bytes: Substring.UTF8View) -> String? {
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == 0 }) else { return text(of: bytes) }
        guard let decoded = decode(bytes, plusIsSpace: false, strictly: true), !decoded.contains(0) else { return nil }
        return text(of: decoded)
    }

    /// Decodes the parameters of a URL query or a form body into strings. `+` stands for a space. An invalid escape stays
    /// unchanged. The value of a repeated name is an array, as in Express.
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

    /// Percent-encodes a text: every byte except the unreserved characters of RFC 3986 §2.3.
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

    /// Percent-encodes a text as one path segment. If the text consists of dots alone, the dots are also encoded, because URLs
    /// treat `.` and `..` as relative references.
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
