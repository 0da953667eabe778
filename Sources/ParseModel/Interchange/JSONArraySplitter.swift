/// Splits the elements of `{"results":[…]}` or of an array, without parsing them. It takes the text in pieces of any
/// size, so that an export of any length can be read.
package struct JSONArraySplitter: Sendable {
    /// The text of an element, and the line on which it begins, counted from 1.
    package struct Element: Sendable, Hashable {
        package let line: Int
        package let text: [UInt8]
    }

    private enum Place { case head, between, element, afterElement, tail }

    private var place = Place.head
    private var head: [UInt8] = []
    private var text: [UInt8] = []
    private var depth = 0
    private var isInString = false
    private var isEscaped = false
    private var line = 1
    private var firstLine = 1
    private var mayEnd = true
    private let elementBytesMax: Int
    private static let heads = [Array("[".utf8), Array("{\"results\":[".utf8)]

    /// - Parameter elementBytesMax: the maximum length of an element, in bytes.
    package init(elementBytesMax: Int) { self.elementBytesMax = elementBytesMax }

    /// Takes the next piece of the text.
    /// - Parameter each: receives each complete element.
    /// - Throws: `ParseError` 107 (invalid JSON) if the text is no such array, naming the line.
    package mutating func take(_ piece: some Sequence<UInt8>, each: (Element) -> Void) throws(ParseError) {
        for byte in piece {
            if byte == UInt8(ascii: "\n") { line += 1 }
            try take(byte, each)
        }
    }

    /// - Throws: `ParseError` 107 (invalid JSON) if the text has ended before the array.
    package func finish() throws(ParseError) {
        guard place == .tail else {
            throw ParseError(.invalidJSON, "The text ends in line \(line), before the end of the list of objects.")
        }
    }

    private mutating func take(_ byte: UInt8, _ each: (Element) -> Void) throws(ParseError) {
        let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
        switch place {
        case .head:
            if isBlank || (head.isEmpty && [0xEF, 0xBB, 0xBF].contains(byte)) { return }
            head.append(byte)
            if Self.heads.contains(head) {
                place = .between
            } else if !Self.heads.contains(where: { $0.starts(with: head) }) {
                throw error("The text must be {\"results\":[…]} or an array of objects")
            }
        case .between:
            if isBlank { return }
            if byte == UInt8(ascii: "]"), mayEnd {
                place = .tail
            } else {
                (firstLine, place) = (line, .element)
                try takeElement(byte, each)
            }
        case .element: try takeElement(byte, each)
        case .afterElement:
            if isBlank { return }
            switch byte {
            case UInt8(ascii: ","): (place, mayEnd) = (.between, false)
            case UInt8(ascii: "]"): place = .tail
            default: throw error("A comma or ] must follow an object")
            }
        // Members after the list, such as a count, are ignored.
        case .tail: return
        }
    }

    private mutating func takeElement(_ byte: UInt8, _ each: (Element) -> Void) throws(ParseError) {
        guard text.count < elementBytesMax else {
            throw error("The object that begins in line \(firstLine) is longer than \(elementBytesMax) bytes")
        }
        text.append(byte)
        if isInString {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString = false
            }
            return
        }
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            depth -= 1
            guard depth == 0 else { break }
            each(Element(line: firstLine, text: text))
            text.removeAll(keepingCapacity: true)
            place = .afterElement
        default: break
        }
        guard depth > 0 || place == .afterElement else { throw error("The list must contain objects only") }
    }

    private func error(_ message: String) -> ParseError { ParseError(.invalidJSON, "\(message) (line \(line)).") }
}
