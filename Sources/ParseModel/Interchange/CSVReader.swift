/// Splits CSV (RFC 4180) into records. It takes the text in pieces of any size, in UTF-8, with or without a byte order
/// mark. Lines may end with CR LF, LF or CR.
package struct CSVReader: Sendable {
    /// A record: the line on which it begins, counted from 1, and its cells.
    package struct Record: Sendable, Hashable {
        package let line: Int
        package let cells: [Cell]
    }

    /// The text of a cell.
    package struct Cell: Sendable, Hashable {
        package let text: String
        /// Whether the cell was quoted. A quoted empty cell is an empty text, and an unquoted one is no value.
        package let isQuoted: Bool

        package init(_ text: String, isQuoted: Bool = false) { (self.text, self.isQuoted) = (text, isQuoted) }
    }

    private enum Place { case start, plain, quoted, quoteInQuoted }

    private var place = Place.start
    private var text: [UInt8] = []
    private var cells: [Cell] = []
    private var bytesOfRecord = 0
    private var hasContent = false
    private var line = 1
    private var firstLine = 1
    private var endsWithCR = false
    /// The bytes of a byte order mark that may follow at the beginning.
    private var mark: [UInt8] = [0xBF, 0xBB, 0xEF]
    private let recordBytesMax: Int
    private static let cellsMax = 10_000

    /// - Parameter recordBytesMax: the maximum length of a record, in bytes.
    package init(recordBytesMax: Int) { self.recordBytesMax = recordBytesMax }

    /// Takes the next piece of the text.
    /// - Parameter each: receives each complete record. Empty lines are left out.
    /// - Throws: `ParseError` 107 (invalid JSON) for malformed CSV, naming the line.
    package mutating func take(_ piece: some Sequence<UInt8>, each: (Record) -> Void) throws(ParseError) {
        for byte in piece { try take(byte, each) }
    }

    /// Takes the end of the text.
    /// - Throws: `ParseError` 107 (invalid JSON) if the text ends in a quoted cell.
    package mutating func finish(each: (Record) -> Void) throws(ParseError) {
        if place == .quoted {
            throw error("The quoted cell that begins in the record of line \(firstLine) has no end.")
        }
        if hasContent || !cells.isEmpty { try endRecord(each) }
    }

    private mutating func take(_ byte: UInt8, _ each: (Record) -> Void) throws(ParseError) {
        if !mark.isEmpty {
            if byte == mark.last {
                mark.removeLast()
                return
            }
            guard mark.count == 3 else { throw error("The text is not valid UTF-8.") }
            mark = []
        }
        defer { endsWithCR = byte == UInt8(ascii: "\r") }
        bytesOfRecord += 1
        guard bytesOfRecord <= recordBytesMax else {
            throw error("The record of line \(firstLine) is longer than \(recordBytesMax) bytes.")
        }
        let isBreak = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
        // The LF of a CR LF ends no further line.
        let isSecondOfBreak = byte == UInt8(ascii: "\n") && endsWithCR
        if isBreak, !isSecondOfBreak { line += 1 }
        switch (place, byte) {
        case (.quoted, UInt8(ascii: "\"")): place = .quoteInQuoted
        case (.quoted, _): text.append(byte)
        case (.quoteInQuoted, UInt8(ascii: "\"")):
            text.append(byte)
            place = .quoted
        case (.start, UInt8(ascii: "\"")):
            place = .quoted
            hasContent = true
        case (_, UInt8(ascii: ",")):
            hasContent = true
            try endCell()
        case (_, _) where isBreak:
            if isSecondOfBreak, !hasContent, cells.isEmpty {
                (bytesOfRecord, firstLine) = (0, line)
            } else {
                try endLine(each)
            }
        case (.quoteInQuoted, _): throw error("Text follows the end of a quoted cell in line \(line).")
        case (.plain, UInt8(ascii: "\"")): throw error("A quote stands inside of an unquoted cell in line \(line).")
        default:
            (place, hasContent) = (.plain, true)
            text.append(byte)
        }
    }

    private mutating func endLine(_ each: (Record) -> Void) throws(ParseError) {
        if hasContent || !cells.isEmpty { try endRecord(each) }
        (bytesOfRecord, firstLine) = (0, line)
    }

    private mutating func endCell() throws(ParseError) {
        guard cells.count < Self.cellsMax else {
            throw error("Line \(firstLine) has more than \(Self.cellsMax) cells.")
        }
        guard let string = String(validating: text, as: UTF8.self) else {
            throw error("Line \(firstLine) is not valid UTF-8.")
        }
        cells.append(Cell(string, isQuoted: place == .quoteInQuoted))
        text.removeAll(keepingCapacity: true)
        place = .start
    }

    private mutating func endRecord(_ each: (Record) -> Void) throws(ParseError) {
        try endCell()
        each(Record(line: firstLine, cells: cells))
        cells.removeAll(keepingCapacity: true)
        hasContent = false
    }

    private func error(_ message: String) -> ParseError { ParseError(.invalidJSON, message) }
}
