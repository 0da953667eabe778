/// MongoDB's rules for paths through arrays of objects. In `where`, a path does not continue inside array elements.
extension FieldPath {
    /// The value of the path in an expression. A path through an array collects the values of its object elements into an array.
    func collected(from document: JSONObject) -> JSONValue? { Self.collected(segments[...], .object(document)) }

    private static func collected(_ path: ArraySlice<String>, _ value: JSONValue) -> JSONValue? {
        guard let first = path.first else { return value }
        switch value {
        case .object(let object): return object[first].flatMap { collected(path.dropFirst(), $0) }
        case .array(let elements):
            return .array(elements.compactMap { $0.object == nil ? nil : collected(path, $0) })
        default: return nil
        }
    }

    /// The values of the path for `$match` and `distinct`. A path through an array visits its object elements, and also
    /// the element at an index in the path. Nil stands for a missing value.
    func reached(in document: JSONObject) -> [JSONValue?] { Self.reached(segments[...], .object(document)) }

    private static func reached(_ path: ArraySlice<String>, _ value: JSONValue) -> [JSONValue?] {
        guard let first = path.first else { return [value] }
        switch value {
        case .object(let object): return object[first].map { reached(path.dropFirst(), $0) } ?? [nil]
        case .array(let elements):
            let numbered = Int(first).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            return elements.flatMap { $0.object == nil ? [] : reached(path, $0) }
                + (numbered.map { reached(path.dropFirst(), $0) } ?? [])
        default: return [nil]
        }
    }
}
