import ParseModel

/// A class with the types of its fields, as the generators of types need it.
struct TypedClass {
    struct Field {
        let name: String
        /// Nil for a type that this version does not know, or if objects have values of several types.
        let type: FieldType?
        let isRequired: Bool
    }

    let name: String
    let fields: [Field]

    /// The fields that every stored object has.
    private static let given: Set = ["objectId", "createdAt", "updatedAt"]

    /// - Parameter schema: an entry of the answer to `GET /schemas`.
    init?(schema: JSONObject) {
        guard let name = schema["className"]?.string else { return nil }
        self.name = name
        fields = (schema["fields"]?.object ?? [:]).map { name, value in
            Field(
                name: name, type: value.object.flatMap { FieldType(json: $0) },
                isRequired: Self.given.contains(name) || value.object?["required"]?.bool == true)
        }
    }

    /// Reads the types of the fields from objects.
    init(_ name: String, of objects: [JSONObject]) {
        var types: [String: FieldType?] = [:]
        var names = ["objectId", "createdAt", "updatedAt", "ACL"]
        (types["objectId"], types["createdAt"], types["updatedAt"], types["ACL"]) = (.string, .date, .date, .acl)
        let defaults = Set(names)
        for object in objects {
            for (field, value) in object where !defaults.contains(field) {
                guard let type = FieldType(of: value) else {
                    if !names.contains(field) { names.append(field) }
                    continue
                }
                if !names.contains(field) { names.append(field) }
                if let known = types[field] {
                    if known != type { types[field] = .some(nil) }
                } else {
                    types[field] = type
                }
            }
        }
        self.name = name
        fields = names.map { field in
            Field(name: field, type: types[field] ?? nil, isRequired: Self.given.contains(field))
        }
    }

    /// Whether the date of a field is plain ISO text in the REST API, and not an object.
    static func isPlainDate(_ field: String) -> Bool { field == "createdAt" || field == "updatedAt" }

    /// The classes to which pointers and relations of the classes refer, in the order of their names.
    static func targets(of classes: [TypedClass]) -> [String] {
        let names = classes.flatMap(\.fields).compactMap { field -> String? in
            switch field.type {
            case .pointer(let target), .relation(let target): target
            default: nil
            }
        }
        return Set(names).sorted()
    }
}

/// Gives names that are unique and not taken in a language.
struct UniqueNames {
    private var taken: Set<String>
    private var names: [String: String] = [:]

    /// - Parameter taken: the words that are no names in the language, and the names that the generated text uses itself.
    init(taken: Set<String>) { self.taken = taken }

    /// The identifier for a name: other characters than ASCII letters, digits and `_` become `_`, and `_` follows a taken name.
    mutating func identifier(for name: String) -> String {
        if let known = names[name] { return known }
        var text = String(
            name.unicodeScalars.map { scalar in
                scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "_" || ("0"..."9").contains(scalar))
                    ? Character(scalar) : "_"
            })
        if text.isEmpty || text.first?.isNumber == true { text = "_" + text }
        if text.allSatisfy({ $0 == "_" }) { text = "field" + text }
        while !taken.insert(text).inserted { text += "_" }
        names[name] = text
        return text
    }
}
