/// The members of a JSON object, found without parsing their values.
package enum JSONMembers {
    /// Passes each member to `each`, in the order of the text.
    /// - Parameters:
    ///   - json: the text of an object, without white space between its parts, as `JSONWriter` writes it.
    ///   - each: receives the text of the name between its quotation marks, with its escapes, and the text of the value.
    /// - Returns: false if the text is not such an object. Some members may have been passed to `each` then.
    @discardableResult
    package static func forEach(
        in json: [UInt8], _ each: (_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) throws -> Void
    ) rethrows -> Bool {
        guard json.count >= 2, json[0] == UInt8(ascii: "{") else { return false }
        guard json[1] != UInt8(ascii: "}") else { return json.count == 2 }
        var at = 1
        while at < json.count {
            guard json[at] == quote, let nameEnd = endOfString(in: json, from: at),
                nameEnd < json.count, json[nameEnd] == UInt8(ascii: ":"),
                let valueEnd = endOfValue(in: json, from: nameEnd + 1), valueEnd < json.count
            else { return false }
            try each(json[(at + 1)..<(nameEnd - 1)], json[(nameEnd + 1)..<valueEnd])
            switch json[valueEnd] {
            case UInt8(ascii: ","): at = valueEnd + 1
            case UInt8(ascii: "}"): return valueEnd == json.count - 1
            default: return false
            }
        }
        return false
    }

    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")

    /// The place after a string that begins at `start`; nil if the string does not end.
    private static func endOfString(in json: [UInt8], from start: Int) -> Int? {
        var at = start + 1
        while at < json.count {
            switch json[at] {
            case quote: return at + 1
            case backslash: at += 2
            default: at += 1
            }
        }
        return nil
    }

    /// The place after the value that begins at `start`; nil if the value does not end.
    private static func endOfValue(in json: [UInt8], from start: Int) -> Int? {
        var at = start
        var depth = 0
        while at < json.count {
            switch json[at] {
            case quote:
                guard let end = endOfString(in: json, from: at) else { return nil }
                at = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                at += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return at > start ? at : nil }
                depth -= 1
                at += 1
            case UInt8(ascii: ",") where depth == 0: return at > start ? at : nil
            default: at += 1
            }
        }
        return nil
    }
}
