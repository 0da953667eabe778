/// How MongoDB finds places in documents whose arrays hold objects. `where` does not look through arrays.
extension FieldPath {
    /// What an expression sees here: behind an array what those of its elements have that are objects, as an array.
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

    /// All values that `$match` and `distinct` find here: behind an array those of its elements that are objects, and that
    /// of the element whose number is named. Nil stands for nothing where a document could have something.
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
