/// The schema of one field.
package struct SchemaField: Sendable, Hashable {
    package let type: FieldType
    /// True if a create must set the field, unless it has a default value; nil if the option was never set, which means optional.
    package let isRequired: Bool?
    /// The default value as the client sent it; nil for none. Objects store its canonical form.
    package let defaultValue: JSONValue?

    package init(_ type: FieldType, isRequired: Bool? = nil, defaultValue: JSONValue? = nil) {
        self.type = type
        self.isRequired = isRequired
        self.defaultValue = defaultValue
    }

    /// Reads the output of ``json``.
    /// - Returns: nil without a known type.
    package init?(stored: JSONObject) {
        guard let type = FieldType(json: stored) else { return nil }
        self.init(type, isRequired: stored["required"]?.bool, defaultValue: stored["defaultValue"])
    }

    /// The field in the format of a `/schemas` response.
    package var json: JSONObject {
        var json = type.json
        if let isRequired { json["required"] = .bool(isRequired) }
        json["defaultValue"] = defaultValue
        return json
    }

    /// Reads and validates a field of a `/schemas` request.
    /// - Throws: Parse error 103 (invalid class name), 107 (invalid JSON), 111 (incorrect type), 121 (invalid nested key) in a
    ///   default value, or 135 (missing class name).
    init(_ value: JSONValue, of field: String, in className: String) throws(ParseError) {
        let object = value.object ?? [:]
        let type = try Self.type(object)
        var defaultValue: JSONValue?
        if let value = object["defaultValue"], !value.isNull {
            defaultValue = try Self.defaultValue(value, type, field, className)
        }
        let isRequired: Bool?
        switch object["required"] {
        case nil, .null: isRequired = nil
        case .bool(let value): isRequired = value
        default: throw Self.invalid
        }
        if isRequired == true, defaultValue == nil, case .relation = type {
            throw ParseError(.incorrectType, "The 'required' option is not applicable for \(type.description)")
        }
        self.init(type, isRequired: isRequired, defaultValue: defaultValue)
    }

    private static let invalid = ParseError(.invalidJSON, "invalid JSON")

    private static func type(_ object: JSONObject) throws(ParseError) -> FieldType {
        let name = object["type"]?.string
        if let name, name == "Pointer" || name == "Relation" {
            switch object["targetClass"] {
            case nil, .null, "": throw ParseError(.missingClassName, "type \(name) needs a class name")
            case .string(let target):
                guard ClassName.isValid(target) else { throw .invalidClassName(target) }
            default: throw invalid
            }
        }
        guard let name else { throw invalid }
        guard let type = FieldType(json: object), type != .acl else {
            throw ParseError(.incorrectType, "invalid field type: \(name)")
        }
        return type
    }

    private static func defaultValue(
        _ value: JSONValue, _ type: FieldType, _ field: String, _ className: String
    ) throws(ParseError) -> JSONValue {
        _ = try value.asFieldValue()
        if case .relation = type, value.object != nil {
            throw ParseError(
                .incorrectType, "The 'default value' option is not applicable for \(type.description)")
        }
        guard let got = FieldType(of: value), got == type else {
            let got = FieldType(of: value)?.description ?? "nothing"
            throw ParseError(
                .incorrectType,
                "schema mismatch for \(className).\(field) default value; expected \(type.description) but got \(got)")
        }
        return value
    }
}

extension ParseError {
    /// Parse Server's error for an invalid class name. Its message ends with a space.
    package static func invalidClassName(_ name: String) -> ParseError {
        ParseError(
            .invalidClassName,
            "Invalid classname: \(name), classnames can only have alphanumeric characters and _, "
                + "and must start with an alpha character ")
    }

    /// Parse Server's error for an unknown class.
    package static func noSuchClass(_ name: String) -> ParseError {
        ParseError(.invalidClassName, "Class \(name) does not exist.")
    }
}
