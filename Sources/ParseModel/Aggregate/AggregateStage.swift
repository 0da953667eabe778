/// A stage of an aggregate pipeline, which transforms a sequence of documents into another sequence.
///
/// The first stage receives objects in the format of the API. In every document, the field `objectId` stands for
/// MongoDB's `_id`.
package enum AggregateStage: Sendable, Hashable {
    case match(Predicate)
    case sort([SortKey])
    case limit(Int)
    case skip(Int)
    /// Emits one document, with the number of input documents in the given field. Without input, emits no document.
    case count(String)
    case group(Grouping)
    case project(Projection)
    case unwind(Unwinding)
}

/// `$unwind`: one document for each element of an array.
package struct Unwinding: Sendable, Hashable {
    package let path: FieldPath
    /// The field that receives the index of the element; nil if the index is not wanted.
    package let indexField: String?
    /// Whether a document without an element in the array (or with an absent or null array) is kept. Otherwise
    /// `$unwind` drops it.
    package let keepsEmpty: Bool

    /// Returns one document for each element of the array at `path`. Any other value except null counts as an array
    /// with this one element, and gets a null index. If there is no element, returns one document if `keepsEmpty` is
    /// true, otherwise none.
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
    /// Returns this object with a new value at the path; nil removes the old value. Returns this object unchanged if a segment
    /// before the last one does not lead to an inner object.
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

/// Reads field paths in the notation of aggregate pipelines.
enum AggregatePath {
    /// Reads a path. Converts MongoDB's name of a default field, such as `_id`, to Parse's name.
    /// - Throws: Parse error 105 (invalid field name).
    static func read(_ name: String) throws(ParseError) -> FieldPath {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let own = names[String(first)] else { return try FieldPath(name) }
        return try FieldPath(([own] + parts.dropFirst().map(String.init)).joined(separator: "."))
    }

    /// Reads the name of a field in the output of a stage.
    /// - Throws: Parse error 105 (invalid field name) if the name is invalid or a path of several segments.
    static func field(_ name: String) throws(ParseError) -> String {
        let path = try read(name)
        guard path.segments.count == 1 else { throw ParseError(.invalidFieldName, "Invalid key name: \(name)") }
        return path.dotted
    }

    /// Parse's name of each default field. The key is MongoDB's name.
    static let names = ["_id": "objectId", "_created_at": "createdAt", "_updated_at": "updatedAt"]
}
