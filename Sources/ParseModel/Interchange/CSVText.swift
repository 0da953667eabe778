/// Writes values as the cells of CSV (RFC 4180), in the form of the CSV files that the web page exports.
package enum CSVText {
    /// The mark at the beginning of a CSV file, by which spreadsheets recognize UTF-8.
    package static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// A value as the text of a cell: numbers, truth values and texts as they are, dates as ISO texts, pointers as ids,
    /// and other values as JSON. A missing value and null give an empty text. A text that a spreadsheet would read as a
    /// formula gets an apostrophe before it.
    package static func cell(_ value: JSONValue?) -> String {
        switch value {
        case nil, .null: return ""
        case .bool, .number: return value?.jsonText ?? ""
        case .string(let text): return defused(text)
        case .array: return value?.jsonText ?? ""
        case .object(let object):
            switch object["__type"]?.string {
            case "Date": return object["iso"]?.string.map(defused) ?? JSONValue.object(object).jsonText
            case "Pointer": return object["objectId"]?.string.map(defused) ?? JSONValue.object(object).jsonText
            default: return JSONValue.object(object).jsonText
            }
        }
    }

    /// Whether a spreadsheet would read the text as a formula.
    static func isFormula(_ text: some StringProtocol) -> Bool {
        guard let first = text.unicodeScalars.first else { return false }
        return "=+-@\t\r\n\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
    }

    private static func defused(_ text: String) -> String { isFormula(text) ? "'" + text : text }

    /// The text of a cell without the apostrophe that `cell` has put before a formula.
    static func undefused(_ text: String) -> String {
        text.hasPrefix("'") && isFormula(text.dropFirst()) ? String(text.dropFirst()) : text
    }

    /// The head of a column with its type: `due:Date`, `project:Pointer<Project>`; the name alone for an unknown type.
    package static func head(_ name: String, _ type: FieldType?) -> String {
        defused(type.map { "\(name):\($0.description)" } ?? name)
    }

    /// Appends a line of cells to `bytes`. A cell with a comma, a quote, a line break, or a blank at its begin or end
    /// is quoted.
    package static func append(_ cells: [String], to bytes: inout [UInt8]) {
        for (place, cell) in cells.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            guard isSpecial(cell.utf8) else {
                bytes += cell.utf8
                continue
            }
            bytes.append(UInt8(ascii: "\""))
            for byte in cell.utf8 {
                if byte == UInt8(ascii: "\"") { bytes.append(byte) }
                bytes.append(byte)
            }
            bytes.append(UInt8(ascii: "\""))
        }
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    private static func isSpecial(_ text: String.UTF8View) -> Bool {
        let blanks: [UInt8] = [0x20, 0x09]
        if let first = text.first, let last = text.last, blanks.contains(first) || blanks.contains(last) { return true }
        return text.contains { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }
    }
}
