/// Makes the JSON text of `StableContent` from a stored text, without parsing it. Parsing took a tenth of a read of an object that is not
/// cached.
///
/// Only for texts as the store writes them: without white space and without repeated keys.
struct StableText {
    private struct Member {
        let key: Range<Int>
        /// The key with its quotation marks, the colon and the value.
        let whole: Range<Int>
        let isNull: Bool
    }

    /// The nesting of arrays and objects up to which texts are read.
    private static let depthMax = 32

    private let text: [UInt8]
    private var place = 0
    private var isASCII = true

    private init(_ text: [UInt8]) { self.text = text }

    /// - Returns: nil for a text that needs `StableContent`: one with a pointer, a file, a relation, an escaped character, a number other
    ///   than a short integer, an object in a field whose keys are not in order, or deep nesting; and for damaged text.
    static func make(_ text: [UInt8], without opField: String?) -> [UInt8]? {
        var reader = StableText(text)
        // A text that is not UTF-8 is damaged. `StableContent` finds that.
        guard var members = reader.members(depth: 0), reader.place == text.count,
            reader.isASCII || String(validating: text, as: UTF8.self) != nil
        else { return nil }
        members.removeAll { member in
            let isField = { (name: String) in name.utf8.elementsEqual(text[member.key]) }
            return member.isNull || StableContent.ownFields.contains(where: isField) || opField.map(isField) ?? false
        }
        members.sort { text[$0.key].lexicographicallyPrecedes(text[$1.key]) }
        var stable: [UInt8] = []
        stable.reserveCapacity(text.count)
        stable.append(UInt8(ascii: "{"))
        for member in members {
            if stable.count > 1 { stable.append(UInt8(ascii: ",")) }
            stable += text[member.whole]
        }
        stable.append(UInt8(ascii: "}"))
        return stable
    }

    // MARK: Reading

    // Each function reads one part of the text at `place`, and sets `place` to its end. It returns nil or false for another text.

    private mutating func members(depth: Int) -> [Member]? {
        guard depth < Self.depthMax, take("{") else { return nil }
        var members: [Member] = []
        members.reserveCapacity(16)
        while !take("}") {
            guard members.isEmpty || take(",") else { return nil }
            let start = place
            guard let key = string(), take(":") else { return nil }
            let isNull = place < text.count && text[place] == UInt8(ascii: "n")
            guard value(depth: depth + 1) else { return nil }
            members.append(Member(key: key, whole: start..<place, isNull: isNull))
        }
        return members
    }

    private mutating func value(depth: Int) -> Bool {
        guard place < text.count else { return false }
        switch text[place] {
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "{"): return nested(depth: depth)
        case UInt8(ascii: "t"): return take("true")
        case UInt8(ascii: "f"): return take("false")
        case UInt8(ascii: "n"): return take("null")
        default: return integer()
        }
    }

    /// Reads a string without escaped characters.
    /// - Returns: the place of its characters.
    private mutating func string() -> Range<Int>? {
        guard take("\"") else { return nil }
        let start = place
        while place < text.count, text[place] != UInt8(ascii: "\"") {
            guard text[place] != UInt8(ascii: "\\"), text[place] >= 0x20 else { return nil }
            isASCII = isASCII && text[place] < 0x80
            place += 1
        }
        let characters = start..<place
        return take("\"") ? characters : nil
    }

    /// Reads an integer whose text `JSONNumber.canonical` does not change. After other numbers, the caller finds a character that it does not
    /// expect.
    private mutating func integer() -> Bool {
        let start = place
        _ = take("-")
        let digits = place
        while place < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]) { place += 1 }
        // `-0` has another canonical text, and JSON has no other leading zeros.
        let isZero = text[start..<place].elementsEqual("0".utf8)
        return isZero || (place > digits && place - start <= 15 && text[digits] != UInt8(ascii: "0"))
    }

    private mutating func array(depth: Int) -> Bool {
        guard depth < Self.depthMax, take("[") else { return false }
        var isFirst = true
        while !take("]") {
            guard isFirst || take(","), value(depth: depth + 1) else { return false }
            isFirst = false
        }
        return true
    }

    /// Reads an object in a field. A date is the only object with a type that may be in it.
    private mutating func nested(depth: Int) -> Bool {
        if take(#"{"__type":"Date","iso":"#) { return string() != nil && take("}") }
        guard let members = members(depth: depth) else { return false }
        var last: Member?
        for member in members {
            if "__type".utf8.elementsEqual(text[member.key]) { return false }
            if let last, !text[last.key].lexicographicallyPrecedes(text[member.key]) { return false }
            last = member
        }
        return true
    }

    private mutating func take(_ expected: StaticString) -> Bool {
        expected.withUTF8Buffer { expected in
            guard text.count - place >= expected.count else { return false }
            for (offset, byte) in expected.enumerated() where text[place + offset] != byte { return false }
            place += expected.count
            return true
        }
    }
}
