/// A question of `/aggregate/:class`: objects of a class, and what is made of them.
///
/// What a query can say (which objects, their order, how many to pass over and to take) is taken from the front of the
/// pipeline into `source`, so that a store answers it; `stages` are the rest.
package struct AggregateQuery: Sendable {
    /// Its limit is `Int.max` where there is none.
    package var source = ParseQuery(limit: .max)
    package private(set) var stages: [AggregateStage] = []
    /// Only the different values at this place are wanted; then there are no stages.
    package private(set) var distinct: FieldPath?

    /// How many stages a pipeline may have.
    package static let stagesMax = 100

    /// Reads the parameters of a request. Those that begin with `_` carry keys and versions and are not looked at.
    /// - Throws: 102, 105 or 107, in the words of Parse Server's `AggregateRouter` and of MongoDB where they have any.
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
            default: rest[name] = value
            }
        }
        if distinct != nil {
            source.predicate = try ParseQuery(parameters: ["where": parameters["where"] ?? .null]).predicate
        } else {
            source.isPipeline = true
            try read(stages ?? Self.stages(of: rest))
        }
    }

    /// A list of stages, or one object that names each of them.
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
            try append(try AggregateStageReader.stage(name, arguments))
        }
    }
}

extension AggregateQuery {
    /// Adds a stage to the query of the store, or else to the stages behind it.
    private mutating func append(_ stage: AggregateStage) throws(ParseError) {
        if case .match(let predicate) = stage, stages.isEmpty {
            // A store does not look through arrays.
            let parts = predicate.required
            let inside = parts.filter { $0.looksInside && !$0.asksStore }
            if !inside.isEmpty, source.absorb(.match(.and(parts.filter { !inside.contains($0) }))) {
                stages.append(.match(.and(inside)))
                return
            }
        }
        // What matches does so in any order.
        let isAtFront = stages.isEmpty || stage.isSort && stages.allSatisfy(\.isMatch)
        if !isAtFront || !source.absorb(stage) { stages.append(try stage.checkedAsLater()) }
    }
}

extension ParseQuery {
    /// Takes a stage into the query.
    /// - Returns: whether the query means the same then.
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
    /// What stands behind other stages sees documents, which are in no relation and which no query inside finds.
    fileprivate func checkedAsLater() throws(ParseError) -> AggregateStage {
        guard case .match(let predicate) = self, predicate.asksStore else { return self }
        throw ParseError(
            .invalidQuery, "$match can look at relations and other classes only where it stands first in a pipeline.")
    }
}

extension AggregateStage {
    fileprivate var isMatch: Bool { if case .match = self { true } else { false } }
    fileprivate var isSort: Bool { if case .sort = self { true } else { false } }
}

extension Predicate {
    /// Whether it asks about a place inside of a field.
    fileprivate var looksInside: Bool {
        switch self {
        case .and(let parts), .or(let parts), .nor(let parts): parts.contains(where: \.looksInside)
        case .relatedTo: false
        case .field(let path, _): path.segments.count > 1
        }
    }

    fileprivate var asksStore: Bool {
        switch self {
        case .and(let parts), .or(let parts), .nor(let parts): parts.contains(where: \.asksStore)
        case .relatedTo, .field(_, .inQuery), .field(_, .notInQuery), .field(_, .select), .field(_, .dontSelect): true
        case .field: false
        }
    }
}
