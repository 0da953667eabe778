import ParseModel
import StoreService

/// Writes objects into a temporary file, in one of the formats.
struct ExportWriter {
    private let draft: FileDraft
    private let format: TransferFormat
    /// The columns of a table: names or paths, with their types.
    private let columns: [(path: [String], head: String)]
    /// The maximum size of the file, in bytes.
    private let bytesMax: Int
    private var bytes: [UInt8] = []
    private var bytesWritten = 0
    private var count = 0

    private static let pieceBytes = 1 << 18

    /// - Parameter columns: the names of the columns of a table, with their types. Only for CSV.
    init(_ draft: FileDraft, _ format: TransferFormat, columns: [ExportColumns.Column] = [], bytesMax: Int) {
        (self.draft, self.format, self.bytesMax) = (draft, format, bytesMax)
        self.columns = columns.map { (ExportColumns.path($0.name), CSVText.head($0.name, $0.type)) }
        bytes.reserveCapacity(Self.pieceBytes + 4096)
        switch format {
        case .ndjson: break
        case .parse: bytes += "{\"results\":[\n".utf8
        case .csv:
            bytes += CSVText.mark
            CSVText.append(self.columns.map(\.head), to: &bytes)
        }
    }

    /// Appends an object.
    /// - Parameters:
    ///   - text: the JSON text of the object.
    ///   - className: the class to add to the object; nil to add none.
    /// - Throws: `ParseError` 116 (object too large) if the file becomes too large; `StoreError`.
    mutating func append(_ text: [UInt8], className: String? = nil) throws {
        switch format {
        case .ndjson:
            if let className {
                bytes += "{\"__type\":\"Object\",\"className\":\"\(className)\",".utf8
                bytes += text.dropFirst()
            } else {
                bytes += text
            }
            bytes.append(UInt8(ascii: "\n"))
        case .parse:
            if count > 0 { bytes += ",\n".utf8 }
            bytes += text
        case .csv:
            let object = try JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object ?? [:]
            CSVText.append(columns.map { CSVText.cell(ExportColumns.value(at: $0.path, in: object)) }, to: &bytes)
        }
        count += 1
        if bytes.count >= Self.pieceBytes { try flush() }
    }

    /// Completes the file.
    mutating func finish() throws {
        if format == .parse { bytes += count == 0 ? "]}\n".utf8 : "\n]}\n".utf8 }
        try flush()
    }

    private mutating func flush() throws {
        bytesWritten += bytes.count
        guard bytesWritten <= bytesMax else {
            throw ParseError(
                .objectTooLarge,
                "The export is larger than \(bytesMax) bytes: use the master key, or export fewer objects.")
        }
        try bytes.withUnsafeBytes { try draft.write($0) }
        bytes.removeAll(keepingCapacity: true)
    }
}

/// The columns of a table of objects: the id, then the fields by their first appearance. Each has the type of the
/// schema, or of its first value.
struct ExportColumns {
    struct Column: Sendable {
        let name: String
        var type: FieldType?
    }

    private(set) var columns: [Column]
    private var places: [String: Int] = [:]
    private let schema: ClassSchema?
    /// Whether the columns are given, and no field of an object adds one.
    private let isFixed: Bool

    /// - Parameter keys: the fields and paths of the export; nil for all fields.
    init(_ schema: ClassSchema?, keys: [String]?) {
        self.schema = schema
        isFixed = keys != nil
        columns = []
        for name in ["objectId"] + (keys ?? ["createdAt", "updatedAt"]) { add(name) }
    }

    private mutating func add(_ name: String) {
        guard places[name] == nil else { return }
        places[name] = columns.count
        columns.append(Column(name: name, type: schema?[name]?.type ?? Self.ownTypes[name]))
    }

    private static let ownTypes: [String: FieldType] = [
        "objectId": .string, "createdAt": .date, "updatedAt": .date, "ACL": .acl,
    ]

    /// The steps of a path such as `address.city`.
    static func path(_ name: String) -> [String] { name.split(separator: ".").map(String.init) }

    static func value(at path: [String], in object: JSONObject) -> JSONValue? {
        var value = path.first.flatMap { object[$0] }
        for step in path.dropFirst() { value = value?.object?[step] }
        return value
    }

    /// Adds the fields of an object.
    mutating func note(_ object: JSONObject) {
        if isFixed {
            for (place, column) in columns.enumerated() where column.type == nil {
                columns[place].type = Self.value(at: Self.path(column.name), in: object).flatMap(FieldType.init(of:))
            }
            return
        }
        for (name, value) in object {
            add(name)
            if let place = places[name], columns[place].type == nil { columns[place].type = FieldType(of: value) }
        }
    }
}
