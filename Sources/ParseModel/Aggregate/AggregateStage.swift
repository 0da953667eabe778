/// A stage of a pipeline. It transforms a sequence of documents.
///
/// The first stage receives objects in their API format. MongoDB's `_id` is named `objectId`, as in responses.
package enum AggregateStage: Sendable, Hashable {
    case match(Predicate)
    case sort([SortKey])
    case limit(Int)
    case skip(Int)
    /// Emits one document with the number of input documents under the given name; without input it emits nothing.
    case count(String)
    case group(Grouping)
    case project(Projection)
    case unwind(Unwinding)
}

/// `$unwind`: one document for each element of an array.
package struct Unwinding: Sendable, Hashable {
    package let path: FieldPath
    /// The field that receives the index of the element; nil for none.
    package let indexField: String?
    /// True to keep documents without elements.
    package let keepsEmpty: Bool

    /// The documents for the elements of the field. A value other than an array counts as its only element.
    func documents(of document: JSONObject) -> [JSONObject] {
        let value = path.value(in: document)
        let indexed = { (document: JSONObject, index: JSONValue) in
            var document = document
            if let indexField { document[indexField] = index }
            return document
        }
        guard let elements = value?.array, !elements.isEmpty else {
            if let value, !value.isNull, value.array == nil { return [indexed(document, .null)] }
            guard keepsEmpty else { return [] }
            return [indexed(value?.array == nil ? document : document.replacing(path.segments[...], by: nil), .null)]
        }
        return elements.enumerated().map { index, element in
            indexed(document.replacing(path.segments[...], by: element), .int(index))
        }
    }
}

extension JSONObject {
    /// The object with the value at a path replaced; nil removes it. A path through a value other than an object leaves
    /// the object unchanged.
    func replacing(_ path: ArraySlice<String>, by value: JSONValue?) -> JSONObject {
        guard let first = path.first else { return self }
        var object = self
        if path.count == 1 {
            object[first] = value
        } else if let inner = object[first]?.object {
            object[first] = .object(inner.replacing(path.dropFirst(), by: value))
        }
        return object
    }
}

/// Field paths in the notation of pipelines.
enum AggregatePath {
    /// Reads a path, with MongoDB's names for default fields.
    /// - Throws: 105 for an invalid path.
    static func read(_ name: String) throws(ParseError) -> FieldPath {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let own = names[String(first)] else { return try FieldPath(name) }
        return try FieldPath(([own] + parts.dropFirst().map(String.init)).joined(separator: "."))
    }

    /// Reads the name of an output field.
    /// - Throws: 105 if the name is invalid or has several segments.
    static func field(_ name: String) throws(ParseError) -> String {
        let path = try read(name)
        guard path.segments.count == 1 else { throw ParseError(.invalidFieldName, "Invalid key name: \(name)") }
        return path.dotted
    }

    /// MongoDB's names of the default fields.
    static let names = ["_id": "objectId", "_created_at": "createdAt", "_updated_at": "updatedAt"]
}
