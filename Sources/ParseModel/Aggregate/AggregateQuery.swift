/// A query of the route `/aggregate/:class`.
///
/// `source` contains the first stages, if a plain query can express them: match, sort, skip and limit. `stages`
/// contains the other stages, which run on the results of `source`.
package struct AggregateQuery: Sendable {
    /// The query that the store evaluates. Its limit is `Int.max` unless a leading `$limit` stage sets another.
    package var source = ParseQuery(limit: .max)
    /// The stages that run on the results of `source`.
    package private(set) var stages: [AggregateStage] = []
    /// The field whose distinct values are requested; nil for a pipeline. With a field, `stages` is empty.
    package private(set) var distinct: FieldPath?
    /// The notation of names and values in the pipeline and in its results: Parse's or MongoDB's.
    package private(set) var form = DocumentForm()

    /// The maximum number of stages.
    package static let stagesMax = 100

    /// Reads the parameters of a request. Ignores `hint`, `comment`, `readPreference`, and parameters with a leading `_`, which
    /// carry the client's keys and version.
    /// - Throws: Parse error 102 (invalid query), 105 (invalid field name), and the errors of `ParseQuery.init(parameters:)`.
    package init(parameters: JSONObject) throws(ParseError) {
        var stages: [JSONValue]?
        var rest = JSONObject()
        for (name, value) in parameters where !name.hasPrefix("_") && !value.isNull {
            switch name {
            case "hint", "comment", "readPreference": break
            case "distinct": if let name = value.string, !name.isEmpty { distinct = try AggregatePath.read(name) }
            case "explain": source.explains = try ParseQuery(parameters: ["explain": value]).explains
            case "where": break
            case "pipeline": stages = try Self.stages(value)
            default: if try !form.read(name, value) { rest[name] = value }
            }
        }
        if distinct != nil {
            source.predicate = try ParseQuery(parameters: ["where": parameters["where"] ?? .null]).predicate
        } else {
            source.isPipeline = true
            try read(stages ?? Self.stages(of: rest))
        }
    }

    /// Reads the value of the parameter `pipeline`: an array of stages, or an object with one member for each stage.
    private static func stages(_ value: JSONValue) throws(ParseError) -> [JSONValue] {
        switch value {
        case .array(let stages): return stages
        case .object(let stages): return self.stages(of: stages)
        default: throw ParseError(.invalidQuery, "pipeline must be an array or an object.")
        }
    }

    private static func stages(of object: JSONObject) -> [JSONValue] {
        object.map { .object(JSONObject([($0.key, $0.value)])) }
    }

    private mutating func read(_ list: [JSONValue]) throws(ParseError) {
        guard list.count <= Self.stagesMax else {
            throw ParseError(.invalidQuery, "A pipeline has at most \(Self.stagesMax) stages.")
        }
        for value in list {
            guard let stage = value.object else {
                throw ParseError(.invalidQuery, "Each stage of a pipeline must be an object.")
            }
            guard stage.count == 1, let (name, arguments) = stage.members.first else {
                throw ParseError(
                    .invalidQuery,
                    "Pipeline stages should only have one key but found \(stage.keys.joined(separator: ", ")).")
            }
            if name == "distinct" || name == "where" { continue }
            try append(try AggregateStageReader.stage(name, form.parsed(arguments)))
        }
    }
}

extension AggregateQuery {
    /// Adds a stage to `source` if a plain query can express it, otherwise to `stages`. The conditions of a `$match`
    /// can be divided between the two.
    private mutating func append(_ stage: AggregateStage) throws(ParseError) {
        if case .match(let predicate) = stage, stages.isEmpty {
            // Conditions on paths inside a field go to `stages` unless only the store can test them, because a plain
            // query does not look into the elements of arrays.
            let parts = predicate.required
            let inside = parts.filter { $0.hasNestedPath && !$0.needsStore }
            if !inside.isEmpty, source.absorb(.match(.and(parts.filter { !inside.contains($0) }))) {
                stages.append(.match(.and(inside)))
                return
            }
        }
        // A `$sort` after matches in `stages` also goes to `source`, because sorting before the matches gives the same
        // result.
        let isAtFront = stages.isEmpty || stage.isSort && stages.allSatisfy(\.isMatch)
        if !isAtFront || !source.absorb(stage) { stages.append(try stage.checkedAsLater()) }
    }
}

extension ParseQuery {
    /// Adds a stage to the plain query, if possible.
    /// - Returns: false, with the query unchanged, if a plain query cannot express the query followed by the stage.
    fileprivate mutating func absorb(_ stage: AggregateStage) -> Bool {
        let isCut = limit != .max || skip > 0
        switch stage {
        case .match(let predicate) where !isCut:
            self.predicate = self.predicate == .and([]) ? predicate : .and([self.predicate, predicate])
        case .sort(let keys) where !isCut: order = keys
        case .skip(let count):
            let (sum, overflow) = skip.addingReportingOverflow(count)
            guard !overflow else { return false }
            skip = sum
            if limit != .max { limit = max(0, limit - count) }
        case .limit(let count): limit = min(limit, count)
        default: return false
        }
        return true
    }
}

extension AggregateStage {
    /// Checks that the stage can run outside the store. Only the store can read relations and other classes.
    /// - Returns: the stage itself.
    /// - Throws: Parse error 102 (invalid query) for a `$match` on relations or other classes.
    fileprivate func checkedAsLater() throws(ParseError) -> AggregateStage {
        guard case .match(let predicate) = self, predicate.needsStore else { return self }
        throw ParseError(
            .invalidQuery, "A $match on relations or other classes must be the first stage of a pipeline.")
    }
}

extension AggregateStage {
    fileprivate var isMatch: Bool { if case .match = self { true } else { false } }
    fileprivate var isSort: Bool { if case .sort = self { true } else { false } }
}

extension Predicate {
    /// Whether the predicate has a condition on a path inside a field.
    fileprivate var hasNestedPath: Bool {
        switch self {
        case .and(let parts), .or(let parts), .nor(let parts): parts.contains(where: \.hasNestedPath)
        case .relatedTo: false
        case .field(let path, _): path.segments.count > 1
        }
    }

    /// Whether the predicate has a condition on a relation or on another class.
    fileprivate var needsStore: Bool {
        switch self {
        case .and(let parts), .or(let parts), .nor(let parts): parts.contains(where: \.needsStore)
        case .relatedTo, .field(_, .inQuery), .field(_, .notInQuery), .field(_, .select), .field(_, .dontSelect): true
        case .field: false
        }
    }
}
