/// The stage `$project`: keeps or drops fields of each document, and adds computed fields.
package struct Projection: Sendable, Hashable {
    /// The paths that `$project` lists, as a tree of their segments.
    indirect enum Tree: Sendable, Hashable {
        /// The end of a listed path, which stands for the whole value.
        case whole
        case parts([String: Tree])
    }

    /// True if the paths in `places` are dropped (exclusion), false if they are kept (inclusion).
    let excludes: Bool
    let places: Tree
    let keepsId: Bool
    let computed: [AggregateExpression.Member]

    /// Reads the argument of `$project`.
    /// - Throws: Parse error 102 (invalid query) with MongoDB's message; 105 (invalid field name).
    init(json: JSONObject) throws(ParseError) {
        guard !json.isEmpty else {
            throw ParseError(
                .invalidQuery, "Invalid $project :: caused by :: projection specification must have at least one field")
        }
        var reader = Reader()
        for (name, value) in json { try reader.read(name, value, depth: 0) }
        guard reader.included.isEmpty && reader.computed.isEmpty || reader.excluded.isEmpty else {
            let name = reader.excluded[0].joined(separator: ".")
            throw ParseError(
                .invalidQuery,
                "Invalid $project :: caused by :: Cannot do exclusion on field \(name) in inclusion projection")
        }
        excludes = reader.included.isEmpty && reader.computed.isEmpty && reader.id != true
        var places = Tree.parts([:])
        for path in excludes ? reader.excluded : reader.included { places.insert(path[...]) }
        self.places = places
        keepsId = reader.id ?? true
        computed = reader.computed
    }

    private struct Reader {
        var included: [[String]] = []
        var excluded: [[String]] = []
        var computed: [AggregateExpression.Member] = []
        var id: Bool?

        mutating func read(_ name: String, _ value: JSONValue, depth: Int) throws(ParseError) {
            let path = try AggregatePath.read(name)
            guard let stays = value.bool ?? value.number.map({ $0.double != 0 }) else {
                if let object = value.object, object["__type"] == nil,
                    !object.keys.contains(where: { $0.hasPrefix("$") })
                {
                    guard depth < 16, !object.isEmpty else {
                        throw ParseError(.invalidQuery, "An empty object is not a valid value. Found: \(name)")
                    }
                    for (inner, value) in object { try read(name + "." + inner, value, depth: depth + 1) }
                    return
                }
                guard path.segments.count == 1 else {
                    throw ParseError(.invalidQuery, "$project cannot compute a nested field: \(name)")
                }
                computed.append(.init(name: path.dotted, value: try AggregateExpression(json: value)))
                return
            }
            if path.dotted == "objectId" {
                id = stays
            } else if stays {
                included.append(path.segments)
            } else {
                excluded.append(path.segments)
            }
        }
    }

    func document(of document: JSONObject) -> JSONObject {
        var result: JSONObject
        if excludes {
            result = places.excluded(from: document)
            if !keepsId { result["objectId"] = nil }
        } else {
            result = [:]
            if keepsId { result["objectId"] = document["objectId"] }
            for (name, value) in places.included(from: document) { result[name] = value }
            for member in computed { result[member.name] = member.value.value(in: document) }
        }
        return result
    }
}

extension Projection.Tree {
    fileprivate mutating func insert(_ path: ArraySlice<String>) {
        guard let first = path.first else {
            self = .whole
            return
        }
        guard case .parts(var parts) = self else { return }
        parts[first, default: .parts([:])].insert(path.dropFirst())
        self = .parts(parts)
    }

    fileprivate func included(from object: JSONObject) -> JSONObject {
        guard case .parts(let parts) = self else { return object }
        return JSONObject(
            object.compactMap { name, value in
                parts[name].flatMap { $0.included(in: value) }.map { (name, $0) }
            })
    }

    /// Keeps only the parts of a value that the tree lists. Each element of an array is treated alike.
    /// - Returns: nil if the tree lists paths inside the value, but the value is neither an object nor an array.
    private func included(in value: JSONValue) -> JSONValue? {
        if case .whole = self { return value }
        switch value {
        case .object(let object): return .object(included(from: object))
        case .array(let elements): return .array(elements.compactMap(included))
        default: return nil
        }
    }

    fileprivate func excluded(from object: JSONObject) -> JSONObject {
        guard case .parts(let parts) = self else { return [:] }
        return JSONObject(
            object.compactMap { name, value in
                guard let part = parts[name] else { return (name, value) }
                return part.excluded(in: value).map { (name, $0) }
            })
    }

    private func excluded(in value: JSONValue) -> JSONValue? {
        if case .whole = self { return nil }
        switch value {
        case .object(let object): return .object(excluded(from: object))
        case .array(let elements): return .array(elements.compactMap(excluded))
        default: return value
        }
    }
}
