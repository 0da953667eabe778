import ParseModel
import Synchronization

/// How the names and types of an imported text become those of fields: the parameters `rename` and `type`.
package final class FieldMap: Sendable {
    /// The names of fields, by the names in the text. An empty name leaves the field out.
    private let names: [String: String]
    /// The types of fields, by the names of the fields.
    private let types: [String: FieldType]
    private let unseen: Mutex<Unseen>

    /// The names in the parameters that the text has not had so far.
    private struct Unseen {
        var renamed: Set<String>
        var typed: Set<String>
    }

    /// Reads `rename=a=b,c=` and `type=due=Date,project=Pointer<Project>`.
    /// - Throws: `ParseError` 102 (invalid query) for a malformed parameter.
    package init(_ parameters: JSONObject) throws(ParseError) {
        var names: [String: String] = [:]
        var types: [String: FieldType] = [:]
        for (from, to) in try Self.pairs("rename", parameters) { names[from] = to }
        for (field, name) in try Self.pairs("type", parameters) {
            do {
                types[field] = try CSVColumn.type(name)
            } catch {
                throw ParseError(.invalidQuery, "type: \(error.message)")
            }
        }
        (self.names, self.types) = (names, types)
        unseen = Mutex(Unseen(renamed: Set(names.keys), typed: Set(types.keys)))
    }

    /// The names in `rename` and `type` that no object of the text has, in order. A misspelt name is among them.
    var missing: [String] { unseen.withLock { $0.renamed.union($0.typed).sorted() } }

    private func see(_ found: some Sequence<String>) {
        unseen.withLock { unseen in
            guard !unseen.renamed.isEmpty || !unseen.typed.isEmpty else { return }
            for name in found {
                unseen.renamed.remove(name)
                unseen.typed.remove(names[name] ?? name)
            }
        }
    }

    private static func pairs(_ name: String, _ parameters: JSONObject) throws(ParseError) -> [(String, String)] {
        let texts = parameters[name]?.array?.compactMap(\.string) ?? parameters.text(name).map { [$0] } ?? []
        var pairs: [(String, String)] = []
        for text in texts.flatMap({ $0.split(separator: ",") }) {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw ParseError(.invalidQuery, "\(name) must be pairs such as a=b, separated by commas.")
            }
            pairs.append((parts[0], parts[1]))
        }
        return pairs
    }

    /// The columns of a table with these heads; nil for a column that is left out. The types of the map count more than
    /// those of the heads.
    /// - Throws: `ParseError` 105 (invalid field name) for a malformed head and for two columns with one name.
    func columns(_ heads: [String]) throws(ParseError) -> [CSVColumn?] {
        var columns: [CSVColumn?] = []
        var known: Set<String> = []
        for head in heads {
            let column = try CSVColumn(head: head)
            see([column.name])
            let name = names[column.name] ?? column.name
            guard !name.isEmpty else {
                columns.append(nil)
                continue
            }
            guard known.insert(name).inserted else {
                throw ParseError(.invalidFieldName, "Two columns have the name \"\(name)\".")
            }
            columns.append(try CSVColumn(name: name, type: types[name] ?? column.type))
        }
        return columns
    }

    /// The fields of an object of the text under the mapped names and with the mapped types.
    /// - Throws: `ParseError` 111 (incorrect type) if a text is no value of its type.
    func mapped(_ object: JSONObject) throws(ParseError) -> JSONObject {
        guard !names.isEmpty || !types.isEmpty else { return object }
        see(object.keys)
        var result = JSONObject()
        for (name, value) in object {
            let field = names[name] ?? name
            guard !field.isEmpty else { continue }
            result[field] = try typed(value, field)
        }
        return result
    }

    private func typed(_ value: JSONValue, _ field: String) throws(ParseError) -> JSONValue {
        guard let type = types[field], FieldType(of: value) != type, !value.isNull else { return value }
        let text: String? =
            switch value {
            case .string(let text): text
            case .number, .bool: value.jsonText
            case .null, .array, .object: nil
            }
        guard let text, let typed = CSVColumn.value(of: text, type) else {
            throw ParseError(.incorrectType, "\(field): \(value.jsonText.prefix(60)) is no \(type.description).")
        }
        return typed
    }
}
