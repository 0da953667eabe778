import ParseModel

/// The mapping of a class to a table of a remote whose rows carry no types: a date, for example, is a text there.
package struct ClassMapping: Sendable, Hashable {
    /// The path of the class's table below the remote's URL: `/tables/todo`. Nil for the remote's default path.
    package var table: String?
    /// The fields whose values a table stores in another form than Parse, with their Parse types. `converts` is true
    /// for each of these types.
    package var fields: [String: FieldType]

    package init(table: String? = nil, fields: [String: FieldType] = [:]) {
        self.table = table
        self.fields = fields
    }

    /// Whether values of the type are converted: a Date, Pointer, File or Bytes value is a text in a table.
    package static func converts(_ type: FieldType) -> Bool {
        switch type {
        case .date, .pointer, .file, .bytes: true
        case .string, .number, .boolean, .object, .array, .relation, .geoPoint, .polygon, .acl: false
        }
    }

    /// The types of `fields` by name, in the format of `/schemas`, sorted by name.
    package var fieldTypes: JSONObject {
        var types = JSONObject()
        for (name, type) in fields.sorted(by: { $0.key < $1.key }) { types[name] = .object(type.json) }
        return types
    }
}
