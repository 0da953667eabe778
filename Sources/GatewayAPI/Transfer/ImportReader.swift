import ParseModel
import StoreService
import Synchronization

/// Reads the objects of an imported file, maps their fields, and checks what can be checked without the store.
final class ImportReader: Sendable {
    struct Item: Sendable {
        let line: Int
        let objectId: String?
        let content: Result<Content, ParseError>

        enum Content: Sendable {
            case object(PreparedImport)
            /// An object of `_SCHEMA` or `_GlobalConfig`.
            case setting(ImportedObject)
        }

        /// The object of a class; nil for a refused one and for a setting.
        var object: PreparedImport? {
            if case .success(.object(let object)) = content { object } else { nil }
        }

        func refused(_ refusal: ParseError) -> Item { Item(line: line, objectId: objectId, content: .failure(refusal)) }
    }

    private let terms: ImportRun.Terms
    private let source: ImportSource
    private let hasUsers: Bool
    /// Whether the gateway has schemas and a global config of its own.
    private let hasSchemas: Bool
    private let store: any TransferStore
    /// The types of the fields so far, by class and field. The store checks the types of stored fields. During the
    /// first pass it does not know those that the file itself adds.
    private let types = Mutex<[String: [String: FieldType]]>([:])

    init(
        terms: ImportRun.Terms, source: ImportSource, hasUsers: Bool, hasSchemas: Bool, for store: any TransferStore
    ) {
        (self.terms, self.source, self.store) = (terms, source, store)
        (self.hasUsers, self.hasSchemas) = (hasUsers, hasSchemas)
    }

    /// The next objects; fewer than `count` only at the end of the file.
    /// - Throws: the errors of `ImportSource.next`.
    func next(_ count: Int) throws -> [Item] {
        try source.next(count).map { record in
            let fields = Result { () throws(ParseError) in
                let fields = try record.fields.get()
                return terms.format == .csv ? fields : try terms.map.mapped(fields)
            }
            return Item(
                line: record.line, objectId: (try? fields.get())?["objectId"]?.string,
                content: Result { () throws(ParseError) in try content(fields.get()) })
        }
    }

    private func content(_ fields: JSONObject) throws(ParseError) -> Item.Content {
        var fields = fields
        let className = try className(&fields)
        guard SchemaTransfer.holds(className) else {
            try checkClass(className)
            return .object(store.prepare(try object(className, fields)))
        }
        try checkSetting(className)
        if className != InternalClasses.globalConfig {
            let schema = try SchemaTransfer.types(in: fields)
            try note(schema.types, schema.className)
        }
        return .setting(ImportedObject(className: className, fields: fields))
    }

    private func object(_ className: String, _ fields: JSONObject) throws(ParseError) -> ImportedObject {
        var fields = fields
        // The state of syncing that answers of the gateway can have.
        fields["_sync"] = nil
        if RelationJoin(className) != nil { return ImportedObject(className: className, fields: fields) }
        try takeTimes(&fields)
        let hash = className == "_User" ? try UserBody.hash(in: fields) : nil
        if hash != nil { fields[UserBody.hashName] = nil }
        if className == "_User", fields["authData"] != nil {
            let links = try UserBody.links(fields).filter { !$0.value.isNull }
            fields["authData"] = links.isEmpty ? nil : .object(JSONObject(links.map { ($0.key, $0.value) }))
        }
        try note(Self.types(of: fields), className)
        return ImportedObject(className: className, fields: fields, passwordHash: hash)
    }

    /// The class of an object: that of the import, or the one in `{"__type":"Object","className":…}`. Both members are
    /// removed.
    private func className(_ fields: inout JSONObject) throws(ParseError) -> String {
        let named = fields["className"]
        if named != nil || fields["__type"] == "Object" {
            fields["__type"] = nil
            fields["className"] = nil
        }
        guard let named else {
            guard let className = terms.className else {
                throw ParseError(
                    .missingClassName, "The object names no class: choose one, or add className to each line.")
            }
            return className
        }
        guard let name = named.string, terms.className == nil || terms.className == name else {
            throw ParseError(
                .invalidClassName,
                "The object is of the class \(named.string ?? named.jsonText), not of \(terms.className ?? "any").")
        }
        return name
    }

    private func checkClass(_ className: String) throws(ParseError) {
        let join = RelationJoin(className)
        let owner = join?.ownerClass ?? className
        guard ClassName.isValid(owner), join != nil || !ClassName.isReservedForServer(className) else {
            throw ParseError(.invalidClassName, "Objects of \(className) cannot be imported.")
        }
        guard owner != "_Session" else {
            throw ParseError(.operationForbidden, "Sessions cannot be imported: users log in again.")
        }
        guard owner != "_User" || hasUsers else {
            throw ParseError(.operationForbidden, "Users cannot be imported here: import them at the remote.")
        }
        guard !owner.hasPrefix("_") || terms.principal.writesEverything else {
            throw ParseError.denial(.operationForbidden, "The import of \(owner) needs the master key.")
        }
    }

    private func checkSetting(_ className: String) throws(ParseError) {
        guard hasSchemas else {
            throw ParseError(.operationForbidden, "\(className) cannot be imported here: import it at the remote.")
        }
        guard terms.principal.writesEverything else {
            throw ParseError.denial(.operationForbidden, "The import of \(className) needs the master key.")
        }
        guard terms.format != .csv else {
            throw ParseError(.invalidJSON, "\(className) is imported as ndjson or parse, not as csv.")
        }
    }

    /// Gives `createdAt` and `updatedAt` the form of date values if they count, and removes them otherwise. As in Parse
    /// Server, they count with the maintenance key.
    private func takeTimes(_ fields: inout JSONObject) throws(ParseError) {
        for name in ["createdAt", "updatedAt"] {
            guard let value = fields[name] else { continue }
            guard let date = value.string.flatMap(ParseDate.init(iso:)) ?? ParseDate(value) else {
                throw ParseError(.incorrectType, "\(name): \(value.jsonText.prefix(60)) is no date.")
            }
            fields[name] =
                terms.principal == .maintenance ? ["__type": "Date", "iso": .string(date.iso)] : JSONValue?.none
        }
    }

    private static func types(of fields: JSONObject) -> [(String, FieldType)] {
        fields.compactMap { field, value in
            value.object?["__op"] == nil ? FieldType(of: value).map { (field, $0) } : nil
        }
    }

    /// Checks that each field has one type in the whole file.
    private func note(_ found: [(field: String, type: FieldType)], _ className: String) throws(ParseError) {
        var error: ParseError?
        types.withLock { types in
            let known = types[className] ?? [:]
            let room = Self.fieldsMax - known.count
            var added: [(field: String, type: FieldType)] = []
            for (field, type) in found {
                guard let before = known[field] else {
                    added.append((field, type))
                    continue
                }
                if before != type { error = error ?? .schemaMismatch(className, field, expected: before, got: type) }
            }
            for (field, type) in added.prefix(room) {
                types[className, default: [:]][field] = type
            }
        }
        if let error { throw error }
    }

    /// The maximum number of fields of a class whose types are noted. The store has a limit of its own.
    private static let fieldsMax = 10_000
}
