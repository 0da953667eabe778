import ParseModel

/// Finds the objects in a text of one format.
protocol ImportText: Sendable {
    /// Takes the next piece of the text, and appends the objects that it completes.
    mutating func take(_ piece: [UInt8], _ records: inout [ImportRecord]) throws(ParseError)
    mutating func finish(_ records: inout [ImportRecord]) throws(ParseError)
}

/// The limits of an imported object.
struct ImportLimits: Sendable {
    var objectBytesMax = 16 << 20
    var nestingMax = JSONReader.depthMax
    /// The maximum number of values in an object.
    var valuesMax = 1_000_000

    /// Reads the JSON text of an object.
    func object(_ text: [UInt8]) -> Result<JSONObject, ParseError> {
        do {
            guard let object = try JSONReader.read(text, depthMax: nestingMax, valuesMax: valuesMax).object else {
                return .failure(ParseError(.invalidJSON, "The line must be a JSON object."))
            }
            return .success(object)
        } catch let error as JSONReader.SyntaxError {
            return .failure(ParseError(.invalidJSON, error.message))
        } catch {
            return .failure(ParseError(.invalidJSON, "The line is no JSON."))
        }
    }
}

/// NDJSON: one object a line. Empty lines are left out.
struct NDJSONText: ImportText {
    let limits: ImportLimits
    private var rest: [UInt8] = []
    private var line = 0

    init(_ limits: ImportLimits) { self.limits = limits }

    mutating func take(_ piece: [UInt8], _ records: inout [ImportRecord]) throws(ParseError) {
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            if rest.isEmpty {
                try read(Array(piece[start..<end]), &records)
            } else {
                rest += piece[start..<end]
                try read(rest, &records)
                rest.removeAll(keepingCapacity: true)
            }
            start = end + 1
        }
        rest += piece[start...]
        try checkLength(rest, line: line + 1)
    }

    mutating func finish(_ records: inout [ImportRecord]) throws(ParseError) {
        if !rest.isEmpty { try read(rest, &records) }
        rest = []
    }

    private mutating func read(_ text: [UInt8], _ records: inout [ImportRecord]) throws(ParseError) {
        line += 1
        try checkLength(text, line: line)
        var text = text
        if line == 1, text.starts(with: CSVText.mark) { text.removeFirst(CSVText.mark.count) }
        guard text.contains(where: { $0 > 0x20 }) else { return }
        records.append(ImportRecord(line: line, fields: limits.object(text)))
    }

    private func checkLength(_ text: [UInt8], line: Int) throws(ParseError) {
        guard text.count <= limits.objectBytesMax else {
            throw ParseError(.objectTooLarge, "Line \(line) is longer than \(limits.objectBytesMax) bytes.")
        }
    }
}

/// `{"results":[…]}`, or an array of objects.
struct ResultsText: ImportText {
    let limits: ImportLimits
    private var splitter: JSONArraySplitter

    init(_ limits: ImportLimits) {
        self.limits = limits
        splitter = JSONArraySplitter(elementBytesMax: limits.objectBytesMax)
    }

    mutating func take(_ piece: [UInt8], _ records: inout [ImportRecord]) throws(ParseError) {
        var found: [ImportRecord] = []
        let limits = limits
        try splitter.take(piece) { found.append(ImportRecord(line: $0.line, fields: limits.object($0.text))) }
        records += found
    }

    mutating func finish(_ records: inout [ImportRecord]) throws(ParseError) { try splitter.finish() }
}

/// A table of cells. The first record has the heads of the columns.
struct TableText: ImportText {
    private var reader: CSVReader
    private var columns: [CSVColumn?]?
    private let map: FieldMap

    init(_ limits: ImportLimits, _ map: FieldMap) {
        reader = CSVReader(recordBytesMax: limits.objectBytesMax)
        self.map = map
    }

    mutating func take(_ piece: [UInt8], _ records: inout [ImportRecord]) throws(ParseError) {
        var found: [CSVReader.Record] = []
        try reader.take(piece) { found.append($0) }
        try read(found, &records)
    }

    mutating func finish(_ records: inout [ImportRecord]) throws(ParseError) {
        var found: [CSVReader.Record] = []
        try reader.finish { found.append($0) }
        try read(found, &records)
    }

    private mutating func read(_ found: [CSVReader.Record], _ records: inout [ImportRecord]) throws(ParseError) {
        for record in found {
            if let columns {
                records.append(ImportRecord(line: record.line, fields: Self.object(record.cells, columns)))
            } else {
                columns = try map.columns(record.cells.map(\.text))
            }
        }
    }

    private static func object(_ cells: [CSVReader.Cell], _ columns: [CSVColumn?]) -> Result<JSONObject, ParseError> {
        Result { () throws(ParseError) in
            guard cells.count <= columns.count else {
                throw ParseError(
                    .invalidJSON, "The line has \(cells.count) cells, and the table has \(columns.count) columns.")
            }
            var object = JSONObject()
            for (cell, column) in zip(cells, columns) {
                guard let column, let value = try column.value(of: cell) else { continue }
                try object.set(value, at: column.path[...])
            }
            return object
        }
    }
}

extension JSONObject {
    /// Sets a value at a path, and makes the objects on the way.
    /// - Throws: `ParseError` 111 (incorrect type) if a step of the path is no object.
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) throws(ParseError) {
        guard let key = path.first else { return }
        guard path.count > 1 else {
            self[key] = value
            return
        }
        var inner = self[key]?.object
        if inner == nil, let other = self[key] {
            throw ParseError(.incorrectType, "\(key) has the value \(other.jsonText) and further columns inside of it.")
        }
        try inner.set(value, at: path.dropFirst())
        self[key] = .object(inner ?? [:])
    }
}

extension JSONObject? {
    fileprivate mutating func set(_ value: JSONValue, at path: ArraySlice<String>) throws(ParseError) {
        var object = self ?? JSONObject()
        try object.set(value, at: path)
        self = object
    }
}
