/// A step of a pipeline: takes documents and gives others.
///
/// Documents begin as objects as the API returns them. What MongoDB calls `_id` is called `objectId` here, as it is in
/// answers.
package enum AggregateStage: Sendable, Hashable {
    case match(Predicate)
    case sort([SortKey])
    case limit(Int)
    case skip(Int)
    /// How many documents there are, under a name; none gives none.
    case count(String)
    case group(Grouping)
    case project(Projection)
    case unwind(Unwinding)
}

/// A document for each element of an array.
package struct Unwinding: Sendable, Hashable {
    package let path: FieldPath
    /// Where the element's place in the array goes.
    package let indexField: String?
    /// Whether a document without elements stays.
    package let keepsEmpty: Bool

    /// - Returns: the documents; a value that is no array counts as its only element.
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
    /// The object with another value at a place; nil takes the place away. What is no object on the way stays.
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

/// Names of places as pipelines write them.
enum AggregatePath {
    /// - Throws: 105 with the name where it is no path.
    static func read(_ name: String) throws(ParseError) -> FieldPath {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let own = names[String(first)] else { return try FieldPath(name) }
        return try FieldPath(([own] + parts.dropFirst().map(String.init)).joined(separator: "."))
    }

    /// The name of a field that a stage makes.
    /// - Throws: 105 with the name where it is no field of its own.
    static func field(_ name: String) throws(ParseError) -> String {
        let path = try read(name)
        guard path.segments.count == 1 else { throw ParseError(.invalidFieldName, "Invalid key name: \(name)") }
        return path.dotted
    }

    /// MongoDB's names for what every object has.
    static let names = ["_id": "objectId", "_created_at": "createdAt", "_updated_at": "updatedAt"]
}
