/// MongoDB's rules for paths through arrays, which aggregate pipelines follow. Elsewhere, only an index in a path leads into an
/// array.
extension FieldPath {
    /// The value that an expression reads at the path; nil for a missing value. If the path leads through an array, the value is
    /// an array: the values that the path reaches in the array's objects.
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

    /// The values that `$match` and `distinct` read at the path. A nil element stands for a missing value. At an array, the path
    /// continues in each object of the array. A segment that is an index also leads to the element at that index.
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
