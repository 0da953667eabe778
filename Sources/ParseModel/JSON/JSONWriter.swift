/// Writes compact JSON in the form of `JSON.stringify`: UTF-8, with escapes only where JSON requires them.
package struct JSONWriter {
    package private(set) var bytes: [UInt8] = []

    package init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    package mutating func write(_ value: JSONValue) {
        switch value {
        case .null: raw("null")
        case .bool(true): raw("true")
        case .bool(false): raw("false")
        case .number(let number): raw(number.text)
        case .string(let string): write(string)
        case .array(let elements):
            var separator = UInt8(ascii: "[")
            for element in elements {
                bytes.append(separator)
                write(element)
                separator = UInt8(ascii: ",")
            }
            raw(elements.isEmpty ? "[]" : "]")
        case .object(let object): write(object)
        }
    }

    package mutating func write(_ object: JSONObject) {
        var separator = UInt8(ascii: "{")
        for (key, value) in object.members {
            bytes.append(separator)
            write(key)
            bytes.append(UInt8(ascii: ":"))
            write(value)
            separator = UInt8(ascii: ",")
        }
        raw(object.isEmpty ? "{}" : "}")
    }

    package mutating func write(_ string: String) {
        let start = bytes.count
        bytes.append(UInt8(ascii: "\""))
        raw(string)
        // The string was already written without escapes, by `raw`, because few strings need one. If a character needs
        // an escape, `escape` rewrites the string from this character on.
        for place in bytes.indices.dropFirst(start + 1) where Self.needsEscape(bytes[place]) {
            escape(from: place)
            break
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends the text unchanged, without quotes and escapes.
    package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Rewrites the bytes from `place` to the end with escapes.
    private mutating func escape(from place: Int) {
        let plain = Array(bytes[place...])
        bytes.removeSubrange(place...)
        for byte in plain {
            switch byte {
            case UInt8(ascii: "\""): raw("\\\"")
            case UInt8(ascii: "\\"): raw("\\\\")
            case 0x08: raw("\\b")
            case 0x0C: raw("\\f")
            case 0x0A: raw("\\n")
            case 0x0D: raw("\\r")
            case 0x09: raw("\\t")
            case 0..<0x20:
                raw(byte < 0x10 ? "\\u000" : "\\u001")
                bytes.append(Self.hexDigits[Int(byte & 15)])
            default: bytes.append(byte)
            }
        }
    }

    private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension JSONValue {
    package var jsonBytes: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    package var jsonText: String { String(decoding: jsonBytes, as: UTF8.self) }
}

extension JSONObject {
    package var jsonBytes: [UInt8] {
        var writer = JSONWriter()
        writer.write(self)
        return writer.bytes
    }

    package var jsonText: String { String(decoding: jsonBytes, as: UTF8.self) }
}
