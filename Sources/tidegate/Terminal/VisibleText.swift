/// Replaces the characters that a terminal executes or that reorder text: control characters, line separators and
/// bidirectional controls become `\u001b`. The result of a JSON text is a JSON text with the same value.
enum VisibleText {
    /// The text on one line. Line breaks and tabs become `\n` and `\t`.
    static func line(_ text: String) -> String { escaped(text, keepsBreaks: false) }

    /// The text with its line breaks.
    static func lines(_ text: String) -> String { escaped(text, keepsBreaks: true) }

    private static func escaped(_ text: String, keepsBreaks: Bool) -> String {
        guard text.unicodeScalars.contains(where: { isHidden($0) && !(keepsBreaks && $0 == "\n") }) else { return text }
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isHidden(scalar) || (keepsBreaks && scalar == "\n") {
                shown.append(scalar)
            } else {
                shown.append(contentsOf: escape(scalar).unicodeScalars)
            }
        }
        return String(shown)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return scalar.properties.isBidiControl
        }
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }
}
