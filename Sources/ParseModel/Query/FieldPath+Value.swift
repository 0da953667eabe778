extension FieldPath {
    /// The value at the path; nil if absent. A numeric segment is an index of an array, or a member name of an object.
    package func value(in object: JSONObject) -> JSONValue? {
        var value = JSONValue.object(object)
        for segment in segments {
            let inner: JSONValue?
            switch value {
            case .object(let object): inner = object[segment]
            case .array(let elements):
                inner = Int(segment).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            default: inner = nil
            }
            guard let inner else { return nil }
            value = inner
        }
        return value
    }
}
