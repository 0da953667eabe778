import ParseModel
import StoreService

/// Hides the fields with operation ids (`opField`) from clients, even from clients with the master key. Removes these fields from
/// the remote's answers. Refuses forwarded aggregates and schema changes that name such a field. Answers from the store do not
/// contain these fields.
struct HiddenOperationIds: Sendable {
    /// The `opField` of each class that has one.
    private let fields: [String: String]

    init(_ fields: [String: String]) { self.fields = fields }

    // MARK: Requests

    /// - Throws: `ParseError` 105 (invalid field name) for a request that changes an `opField` in a schema; `ParseError` 119
    ///   (operation forbidden) for an aggregate that names an `opField`.
    func check(_ request: RoutedRequest) throws {
        guard !fields.isEmpty else { return }
        let policy = request.route.policy
        if policy.forwarding.showsSchemas, policy.forwarding.changesSchema {
            let body = try request.parse.body.fields
            guard let name = request.parameters.first ?? body["className"]?.string, let field = fields[name],
                body["fields"]?.object?[field] != nil
            else { return }
            throw ParseError(
                .invalidFieldName, "\(field) holds operation ids and cannot be changed.")
        } else if policy.objects?.kind == .aggregate {
            guard let name = request.parameters.first, let field = fields[name],
                names(field, in: .object(request.parse.searchParameters))
            else { return }
            throw ParseError(
                .operationForbidden, "\(field) holds operation ids and cannot be queried.")
        }
    }

    /// Whether a key or a string in the value names the field: as `field`, `$field`, `field.sub` or `$field.sub`.
    private func names(_ field: String, in value: JSONValue) -> Bool {
        let isField = { (text: String) in
            (text.first == "$" ? text.dropFirst() : text[...]).split(separator: ".").first.map { $0 == field } ?? false
        }
        switch value {
        case .string(let text):
            // A pipeline may be JSON text inside a string.
            if let first = text.utf8.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
                let inner = try? JSONReader.read(text)
            {
                return names(field, in: inner)
            }
            return isField(text)
        case .array(let elements): return elements.contains { names(field, in: $0) }
        case .object(let object): return object.contains { isField($0.key) || names(field, in: $0.value) }
        default: return false
        }
    }

    // MARK: Answers

    /// The body of the remote's answer without the fields of operation ids.
    func hidden(in body: [UInt8], answering request: RoutedRequest) -> [UInt8] {
        guard fields.values.contains(where: { body.firstRange(of: $0.utf8) != nil }),
            // A body that is not JSON contains no object, so the body stays unchanged.
            let answer = try? JSONReader.read(body, depthMax: JSONReader.answerDepthMax)
        else { return body }
        return hidden(in: answer, answering: request).jsonBytes
    }

    private func hidden(in answer: JSONValue, answering request: RoutedRequest) -> JSONValue {
        guard let object = answer.object else { return hidden(in: answer) }
        let policy = request.route.policy
        if policy.forwarding.showsSchemas { return .object(hidden(inSchemas: object)) }
        if policy.objects?.kind == .aggregate { return .object(hidden(inList: object, of: request.parameters[0])) }
        return hidden(in: answer)
    }

    /// The answer without the `opField` of each class.
    /// - Parameter answer: a schema, or `{"results":[…]}` with several schemas.
    private func hidden(inSchemas answer: JSONObject) -> JSONObject {
        var shown = answer
        if let schemas = answer["results"]?.array {
            shown["results"] = .array(schemas.map { .object(hidden(inSchemas: $0.object ?? [:])) })
        }
        guard let name = answer["className"]?.string, let field = fields[name],
            var columns = answer["fields"]?.object
        else { return shown }
        columns[field] = nil
        shown["fields"] = .object(columns)
        return shown
    }

    /// The answer without the operation ids of its objects and of included objects.
    /// - Parameter answer: `{"results":[…]}` with objects of the class.
    func hidden(inList answer: JSONObject, of className: String) -> JSONObject {
        guard !fields.isEmpty, let rows = answer["results"]?.array else { return answer }
        let field = fields[answer["className"]?.string ?? className]
        var shown = answer
        shown["results"] = .array(
            rows.map { row in row.object.map { .object(hidden(in: $0, field)) } ?? hidden(in: row) })
        return shown
    }

    /// The object without its operation id and without those of included objects.
    /// - Parameter field: the `opField` of the object's class; nil for none.
    private func hidden(in object: JSONObject, _ field: String?) -> JSONObject {
        var shown = JSONObject()
        for (key, value) in object where key != field { shown[key] = hidden(in: value) }
        return shown
    }

    /// The value without the operation ids of included objects.
    private func hidden(in value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): return .array(elements.map(hidden(in:)))
        case .object(let object):
            let isIncluded = object["__type"] == "Object"
            let field = isIncluded ? object["className"]?.string.flatMap { fields[$0] } : nil
            return .object(hidden(in: object, field))
        default: return value
        }
    }
}
