extension String {
    /// The string with all but the unreserved characters of RFC 3986 §2.3 encoded, as UTF-8.
    var percentEncoded: String {
        let hexDigits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count * 3 / 2)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                bytes.append(byte)
            default:
                bytes.append(contentsOf: [UInt8(ascii: "%"), hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The string as one segment of a path. An id of dots alone would be taken for a step upwards.
    var percentEncodedSegment: String {
        utf8.allSatisfy { $0 == UInt8(ascii: ".") } ? utf8.map { _ in "%2E" }.joined() : percentEncoded
    }
}
