/// Reads values at a path through arrays by MongoDB's rules, which aggregate pipelines follow. In other queries, a path
/// leads into an array only by an index.
extension FieldPath {
    /// The value that an expression reads at the path; nil for a missing value. If the path leads through an array, the
    /// result is an array of the values in the array's objects.
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

    /// The values that `$match` and `distinct` read at the path; nil stands for a missing value. If the path leads
    /// through an array, it continues in each object of the array. If the next segment is an index, it also continues
    /// in the element at this index.
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
