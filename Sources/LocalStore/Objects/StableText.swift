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

    private let text: [UInt8]
    private var place = 0

    /// - Returns: nil for a text that needs `StableContent`: one with a pointer, a file, a relation, an escaped character, a number other
    ///   than a short integer, or an object in a field whose keys are not in order.
    static func make(_ text: [UInt8], without opField: String?) -> [UInt8]? {
        var reader = StableText(text: text)
        guard var members = reader.members(), reader.place == text.count else { return nil }
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

    // MARK: Reading. Each function moves `place` behind what it reads, and returns nil or false for anything else.

    private mutating func members() -> [Member]? {
        guard take("{") else { return nil }
        var members: [Member] = []
        members.reserveCapacity(16)
        while !take("}") {
            guard members.isEmpty || take(",") else { return nil }
            let start = place
            guard let key = string(), take(":") else { return nil }
            let isNull = place < text.count && text[place] == UInt8(ascii: "n")
            guard value() else { return nil }
            members.append(Member(key: key, whole: start..<place, isNull: isNull))
        }
        return members
    }

    private mutating func value() -> Bool {
        guard place < text.count else { return false }
        switch text[place] {
        case UInt8(ascii: "\""): return string() != nil
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "{"): return nested()
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
            guard text[place] != UInt8(ascii: "\\") else { return nil }
            place += 1
        }
        let characters = start..<place
        return take("\"") ? characters : nil
    }

    /// Reads an integer whose text `JSONNumber.canonical` does not change.
    private mutating func integer() -> Bool {
        let start = place
        _ = take("-")
        let digits = place
        while place < text.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[place]) { place += 1 }
        if place < text.count, [UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")].contains(text[place]) {
            return false
        }
        return place > digits && place - start <= 15 && !(digits > start && text[digits] == UInt8(ascii: "0"))
    }

    private mutating func array() -> Bool {
        guard take("[") else { return false }
        var isFirst = true
        while !take("]") {
            guard isFirst || take(","), value() else { return false }
            isFirst = false
        }
        return true
    }

    /// Reads an object in a field. A date is the only object with a type that may be in it.
    private mutating func nested() -> Bool {
        if take(#"{"__type":"Date","iso":"#) { return string() != nil && take("}") }
        guard let members = members() else { return false }
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
