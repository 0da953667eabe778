import ParseModel
import StoreService
import SyncModel

/// The options in the body of `PUT /sync/classes/{className}`. Null resets an option. An option that is missing stays unchanged.
package struct ClassOptionsChange: Sendable {
    private var policy: ConflictPolicy?
    private var opField: String??
    private var deletedField: String??
    private var pullsRelations: Bool?
    private var files: FileDownloads?
    private var pulls: [NamedPull]?
    private var table: String??
    private var fieldTypes: [String: FieldType]?
    private var idFields: IdFields?

    /// - Parameters:
    ///   - operators: the operators that the remote supports in the `where` of a pull; nil for all of Parse's.
    ///   - storesParseValues: whether the remote stores all of Parse's values. The options `table` and `fields` are then refused.
    /// - Throws: `ParseError` 102 (invalid query) for an invalid option.
    init(_ json: JSONObject, operators: Set<String>?, storesParseValues: Bool) throws(ParseError) {
        for (name, value) in json where !name.hasPrefix("_") {
            switch name {
            case "policy":
                let policies = ConflictPolicy.allCases.map(\.rawValue).joined(separator: ", ")
                guard let policy = ConflictPolicy(rawValue: value.isNull ? "merge" : value.string ?? "") else {
                    throw ParseError(.invalidQuery, "policy must be one of \(policies).")
                }
                self.policy = policy
            // `true` selects the standard field name, so that several replicas use the same field.
            case "opField": opField = value == true ? ClassOptions.opFieldStandard : try Self.field(value, name)
            case "deletedField": deletedField = try Self.field(value, name)
            case "relations":
                guard let flag = value.isNull ? true : value.bool else {
                    throw ParseError(.invalidQuery, "relations must be true or false.")
                }
                pullsRelations = flag
            case "files":
                guard let files = value.isNull ? FileDownloads() : FileDownloads(json: value) else {
                    throw ParseError(
                        .invalidQuery,
                        "files must be eager, lazy or none, or one of these for each field and * for all others.")
                }
                for field in files.byField.keys { _ = try Self.field(.string(field), "each key of files but *") }
                self.files = files
            case "pulls": pulls = value.isNull ? [.all] : try PullsReader(operators: operators).read(value)
            case "idFields": idFields = try Self.idFields(value)
            case "table", "fields":
                guard value.isNull || !storesParseValues else {
                    throw ParseError(
                        .invalidQuery, "\(name): the remote stores Parse values, so the class needs no mapping.")
                }
                if name == "table" {
                    table = .some(try MappingReader.table(value))
                } else {
                    fieldTypes = try MappingReader.fields(value)
                }
            default: throw ParseError(.invalidQuery, "unknown option of a class: \(name)")
            }
        }
    }

    /// - Throws: `ParseError` 102 (invalid query) if `opField` and `deletedField` are the same field, or if one of them has a
    ///   declared type.
    package static func check(_ options: ClassOptions) throws(ParseError) {
        if let field = options.opField, field == options.deletedField {
            throw ParseError(.invalidQuery, "opField and deletedField must be two fields.")
        }
        for field in [options.opField, options.deletedField].compactMap(\.self)
        where options.mapping.fields[field] != nil {
            throw ParseError(.invalidQuery, "\(field) cannot have a declared type as opField or deletedField.")
        }
    }

    package func apply(to options: inout ClassOptions, _ pulls: inout [NamedPull]) {
        options.policy = policy ?? options.policy
        if let opField {
            options.opField = opField
            options.declinesOpField = opField == nil
            options.opFieldRefusal = nil
        }
        if let deletedField { options.deletedField = deletedField }
        options.pullsRelations = pullsRelations ?? options.pullsRelations
        options.files = files ?? options.files
        if let table { options.mapping.table = table }
        options.mapping.fields = fieldTypes ?? options.mapping.fields
        options.idFields = idFields ?? options.idFields
        pulls = self.pulls ?? (pulls.isEmpty ? [.all] : pulls)
    }

    /// Parses `idFields`, the fields whose strings are ids of objects of another class: `{"ownerId": "Person"}`.
    /// - Returns: no fields for null.
    private static func idFields(_ value: JSONValue) throws(ParseError) -> IdFields {
        if value.isNull { return IdFields() }
        guard let object = value.object, object.count <= MappingReader.fieldsMax,
            let fields = IdFields(json: object), fields.targets.values.allSatisfy(ClassName.isValid)
        else {
            throw ParseError(
                .invalidQuery,
                "idFields must be an object of at most \(MappingReader.fieldsMax) fields, each with the name of a class."
            )
        }
        for name in fields.targets.keys { _ = try field(.string(name), "each key of idFields") }
        return fields
    }

    static func field(_ value: JSONValue, _ name: String) throws(ParseError) -> String? {
        if value.isNull { return nil }
        guard let field = value.string, (try? FieldPath(field))?.segments.count == 1,
            !["objectId", "createdAt", "updatedAt", "ACL"].contains(field)
        else {
            throw ParseError(.invalidQuery, "\(name) must be the name of a field of its own.")
        }
        return field
    }
}
