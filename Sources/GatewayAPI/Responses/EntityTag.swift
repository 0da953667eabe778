import HTTPTypes

/// Makes and compares entity tags (RFC 9110 §8.8.3). A client that has a response does not receive the same bytes again.
enum EntityTag {
    /// The tag of a body, `W/"<length>-<hash>"`: the length in bytes and a hash, both in hexadecimal. The tag is weak like Parse
    /// Server's, because the answer may also be sent compressed. The hash is not cryptographic.
    static func tag(of body: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: 40) { text in
            var end = 0
            func put(_ byte: UInt8) {
                text[end] = byte
                end += 1
            }
            func put(hexadecimal number: UInt64) {
                let digits = max(1, (67 - number.leadingZeroBitCount) / 4)
                for place in stride(from: digits - 1, through: 0, by: -1) {
                    let digit = UInt8(truncatingIfNeeded: number >> (4 * UInt64(place))) & 15
                    put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
                }
            }
            for byte in "W/\"".utf8 { put(byte) }
            put(hexadecimal: UInt64(body.count))
            put(UInt8(ascii: "-"))
            put(hexadecimal: hash(of: body))
            put(UInt8(ascii: "\""))
            return end
        }
    }

    /// A 64-bit FNV-1a variant that processes eight bytes per step.
    private static func hash(of body: [UInt8]) -> UInt64 {
        let prime: UInt64 = 0x100_0000_01b3
        return body.withUnsafeBytes { bytes in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            let whole = bytes.count & ~7
            for place in stride(from: 0, to: whole, by: 8) {
                let eight = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                hash = (hash ^ UInt64(littleEndian: eight)) &* prime
                // The low bits of a product do not depend on the high bits of the factors. So the high half is mixed into the
                // low half.
                hash ^= hash >> 32
            }
            for byte in bytes[whole...] { hash = (hash ^ UInt64(byte)) &* prime }
            return hash
        }
    }

    /// Whether `If-None-Match` contains the tag. As in Express, false for a reload, which has `Cache-Control: no-cache`.
    static func isKnown(_ tag: String, to headers: HTTPFields) -> Bool {
        guard let known = headers.first(.ifNoneMatch) else { return false }
        if headers[.cacheControl]?.lowercased().contains("no-cache") == true { return false }
        let bare = opaqueTag(tag)
        return known.split(separator: ",").contains { part in
            let part = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return part == "*" || opaqueTag(part) == bare
        }
    }

    /// The tag without `W/`. In `If-None-Match`, a weak tag equals the strong tag with the same text.
    private static func opaqueTag(_ tag: some StringProtocol) -> some StringProtocol {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
