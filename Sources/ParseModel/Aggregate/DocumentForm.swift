/// The notation of names and values in a pipeline and in its results: Parse's notation, or that of MongoDB's documents
/// (the parameters `rawFieldNames` and `rawValues` of Parse Server 9.9).
package struct DocumentForm: Sendable, Hashable {
    /// Whether fields have the names under which Parse Server stores them in MongoDB: `_id`, `_created_at`, `_p_owner`
    /// for the pointer `owner`.
    private(set) var hasRawNames = false
    /// Whether values are in MongoDB's extended JSON: `{"$date": "2027-02-06T00:00:00.000Z"}`.
    private(set) var hasRawValues = false

    var isParse: Bool { self == Self() }

    private static let pointerPrefix = "_p_"

    /// Reads a parameter of the request, if it is one of `rawFieldNames` and `rawValues`.
    /// - Returns: false for any other parameter.
    /// - Throws: Parse error 102 (invalid query) for a value that is not a boolean.
    mutating func read(_ name: String, _ value: JSONValue) throws(ParseError) -> Bool {
        guard name == "rawFieldNames" || name == "rawValues" else { return false }
        guard let flag = value.bool ?? ["true": true, "false": false][value.string ?? ""] else {
            throw ParseError(.invalidQuery, "\(name) must be true or false")
        }
        if name == "rawFieldNames" { hasRawNames = flag } else { hasRawValues = flag }
        return true
    }

    // MARK: Pipelines

    /// Converts a pipeline from this notation to Parse's names and values.
    func parsed(_ pipeline: JSONValue) -> JSONValue {
        isParse ? pipeline : parsed(pipeline, ofPointer: false, depth: 0)
    }

    /// - Parameter ofPointer: whether the value is compared with a pointer, which MongoDB stores as the string
    ///   `Class$id`.
    private func parsed(_ value: JSONValue, ofPointer: Bool, depth: Int) -> JSONValue {
        guard depth < JSONReader.depthMax else { return value }
        switch value {
        case .object(let object):
            if hasRawValues, let plain = Self.plain(object) { return plain }
            return .object(
                JSONObject(
                    object.map { name, value in
                        let isPointer = hasRawNames && name.hasPrefix(Self.pointerPrefix)
                        return (
                            isPointer ? String(name.dropFirst(Self.pointerPrefix.count)) : name,
                            parsed(value, ofPointer: isPointer || ofPointer && name.hasPrefix("$"), depth: depth + 1)
                        )
                    }))
        case .array(let elements):
            return .array(elements.map { parsed($0, ofPointer: ofPointer, depth: depth + 1) })
        case .string(let text) where hasRawNames:
            if text.hasPrefix("$" + Self.pointerPrefix) {
                return .string("$" + text.dropFirst(1 + Self.pointerPrefix.count))
            }
            return ofPointer ? Self.pointer(text)?.json ?? value : value
        default: return value
        }
    }

    /// The Parse value of an object in MongoDB's extended JSON; nil for any other object.
    private static func plain(_ object: JSONObject) -> JSONValue? {
        guard object.count == 1, let (type, value) = object.members.first else { return nil }
        switch type {
        case "$oid": return value
        case "$date": return value.string.flatMap(ParseDate.init(iso:))?.json
        case "$numberInt", "$numberLong": return value.string.flatMap(Int.init).map(JSONValue.int)
        case "$numberDouble", "$numberDecimal": return value.string.flatMap { try? JSONReader.read($0) }
        default: return nil
        }
    }

    private static func pointer(_ text: String) -> Pointer? {
        let parts = text.split(separator: "$", maxSplits: 1)
        return parts.count == 2 ? Pointer(className: String(parts[0]), objectId: String(parts[1])) : nil
    }

    // MARK: Results

    /// Converts a result of a pipeline to this notation.
    package func shown(_ result: JSONValue) -> JSONValue {
        guard !isParse, let document = result.object else { return isParse ? result : raw(result) }
        return .object(JSONObject(document.map(shown)))
    }

    /// Converts a field of a result document to this notation.
    private func shown(_ name: String, _ value: JSONValue) -> (String, JSONValue) {
        let isTime = ["createdAt", "updatedAt"].contains(name)
        let date = isTime ? value.string.flatMap(ParseDate.init(iso:))?.json ?? value : value
        guard hasRawNames else { return (name, raw(date)) }
        if let own = AggregatePath.names.first(where: { $0.value == name })?.key {
            return (own, Self.rawPointer(value) ?? raw(date))
        }
        if let pointer = Self.rawPointer(value) { return (Self.pointerPrefix + name, pointer) }
        return (name, raw(value))
    }

    private static func rawPointer(_ value: JSONValue) -> JSONValue? {
        guard let object = value.object, object["__type"] == "Pointer", let className = object["className"]?.string,
            let objectId = object["objectId"]?.string
        else { return nil }
        return .string(className + "$" + objectId)
    }

    /// Converts the dates in a value to this notation.
    private func raw(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            if object["__type"] == "Date", let iso = object["iso"] { return hasRawValues ? ["$date": iso] : iso }
            return .object(JSONObject(object.map { ($0.key, raw($0.value)) }))
        case .array(let elements): return .array(elements.map(raw))
        default: return value
        }
    }
}
