/// Reads the stages of an aggregate pipeline. Most errors are Parse error 102 (invalid query) with MongoDB's message, as on Parse
/// Server. An invalid field name is error 105 (invalid field name).
enum AggregateStageReader {
    /// The stages of MongoDB that Tidegate does not support.
    private static let unsupported: Set<String> = [
        "$addFields", "$bucket", "$bucketAuto", "$changeStream", "$collStats", "$currentOp", "$densify", "$documents",
        "$facet", "$fill", "$geoNear", "$graphLookup", "$indexStats", "$listLocalSessions", "$listSessions", "$lookup",
        "$merge", "$out", "$planCacheStats", "$redact", "$replaceRoot", "$replaceWith", "$sample", "$search", "$set",
        "$setWindowFields", "$sortByCount", "$unionWith", "$unset",
    ]

    /// The maximum number of values in the argument of a `$group` or `$project` stage, nested values included.
    private static let valuesMax = 1000

    static func stage(_ name: String, _ value: JSONValue) throws(ParseError) -> AggregateStage {
        if name == "$group" || name == "$project", value.holdsMore(than: valuesMax) {
            throw bad("\(name) holds more than \(valuesMax) values")
        }
        switch name {
        case "$match": return .match(try match(value))
        case "$sort": return .sort(try sort(value))
        case "$limit":
            let limit = try wholeNumber(value, name)
            guard limit > 0 else { throw bad("the limit must be positive") }
            return .limit(limit)
        case "$skip": return .skip(try wholeNumber(value, name))
        case "$count":
            guard let field = value.string, !field.isEmpty, !field.hasPrefix("$"), !field.contains(".") else {
                throw bad("the count field must be a non-empty string that neither begins with '$' nor contains '.'")
            }
            return .count(try AggregatePath.field(field))
        case "$group": return .group(try group(value))
        case "$project":
            guard let object = value.object else { throw bad("$project specification must be an object") }
            return .project(try Projection(json: object))
        case "$unwind": return .unwind(try unwind(value))
        default:
            guard name.hasPrefix("$") else { throw bad("Invalid aggregate stage '\(name)'.") }
            throw unsupported.contains(name)
                ? bad("The stage \(name) is not supported.") : bad("Unrecognized pipeline stage name: '\(name)'")
        }
    }

    private static func bad(_ message: String) -> ParseError { ParseError(.invalidQuery, message) }

    private static func wholeNumber(_ value: JSONValue, _ stage: String) throws(ParseError) -> Int {
        guard let number = value.int, number >= 0 else {
            throw bad(
                "invalid argument to \(stage) stage: Expected a non-negative number in: \(stage): \(value.jsonText)")
        }
        return number
    }

    private static func sort(_ value: JSONValue) throws(ParseError) -> [SortKey] {
        guard let object = value.object else { throw bad("the $sort key specification must be an object") }
        guard !object.isEmpty else { throw bad("$sort stage must have at least one sort key") }
        guard object.count <= 32 else { throw bad("$sort takes at most 32 keys") }
        var keys: [SortKey] = []
        for (name, direction) in object {
            guard direction == 1 || direction == -1 else {
                throw bad("$sort key ordering must be 1 (for ascending) or -1 (for descending)")
            }
            keys.append(SortKey(path: try AggregatePath.read(name), descending: direction == -1))
        }
        return keys
    }

    // MARK: $group

    private static func group(_ value: JSONValue) throws(ParseError) -> Grouping {
        guard let object = value.object else { throw bad("a group's fields must be specified in an object") }
        guard object["objectId"] == nil else { throw bad("Cannot use 'objectId' in aggregation stage $group.") }
        guard let key = object["_id"] else { throw bad("Invalid parameter for query: group. Missing key _id") }
        var outputs: [Grouping.Output] = []
        for (name, value) in object where name != "_id" { outputs.append(try output(name, value)) }
        return Grouping(key: try AggregateExpression(json: key), outputs: outputs)
    }

    private static func output(_ name: String, _ value: JSONValue) throws(ParseError) -> Grouping.Output {
        let field = try AggregatePath.field(name)
        guard let object = value.object else { throw bad("The field '\(name)' must be an accumulator object") }
        guard object.count == 1, let (key, argument) = object.members.first else {
            throw bad("The field '\(name)' must specify one accumulator")
        }
        guard let operation = Grouping.Operator(rawValue: key) else { throw bad("unknown group operator '\(key)'") }
        if operation == .count {
            guard argument.object?.isEmpty == true else { throw bad("$count takes no arguments, i.e. $count:{}") }
        } else if argument.array != nil {
            throw bad("The \(key) accumulator is a unary operator")
        }
        return Grouping.Output(
            name: field, operation: operation,
            value: operation == .count ? .constant(.null) : try AggregateExpression(json: argument))
    }

    // MARK: $unwind

    private static func unwind(_ value: JSONValue) throws(ParseError) -> Unwinding {
        var arguments = value.object ?? ["path": value]
        let path = arguments["path"]
        guard let text = path?.string else { throw bad("expected a string as the path for $unwind stage") }
        guard text.hasPrefix("$") else {
            throw bad("path option to $unwind stage should be prefixed with a '$': \(text)")
        }
        let keeps = arguments["preserveNullAndEmptyArrays"]
        guard keeps == nil || keeps?.bool != nil else {
            throw bad("expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage")
        }
        var indexField: String?
        if let index = arguments["includeArrayIndex"] {
            guard let name = index.string, !name.isEmpty, !name.hasPrefix("$") else {
                throw bad("expected a non-empty string for the includeArrayIndex option to $unwind stage")
            }
            indexField = try AggregatePath.field(name)
        }
        arguments.removeAll { ["path", "preserveNullAndEmptyArrays", "includeArrayIndex"].contains($0) }
        if let unknown = arguments.keys.first { throw bad("unrecognized option to $unwind stage: \(unknown)") }
        return Unwinding(
            path: try AggregatePath.read(String(text.dropFirst())), indexField: indexField,
            keepsEmpty: keeps?.bool ?? false)
    }

    // MARK: $match

    /// Reads the argument of `$match`: conditions as in `where`. They can name default fields as MongoDB does (`_id`) and contain
    /// MongoDB's dates (`$date`).
    private static func match(_ value: JSONValue) throws(ParseError) -> Predicate {
        guard let object = value.object else { throw bad("the match filter must be an expression in an object") }
        return try Predicate(json: .object(try conditions(object, depth: 0)))
    }

    private static func conditions(_ object: JSONObject, depth: Int) throws(ParseError) -> JSONObject {
        var conditions = JSONObject()
        for (name, value) in object {
            switch name {
            case "$and", "$or", "$nor":
                guard let elements = value.array, depth <= Predicate.depthMax else { fallthrough }
                var parts: [JSONValue] = []
                for element in elements {
                    parts.append(
                        try element.object.map { (part) throws(ParseError) in
                            .object(try Self.conditions(part, depth: depth + 1))
                        } ?? element)
                }
                conditions[name] = .array(parts)
            case "$relatedTo": conditions[name] = value
            case let name where name.hasPrefix("$"):
                throw bad(name == "$expr" ? "$expr is not supported in $match." : "unknown top level operator: \(name)")
            default: conditions[try AggregatePath.read(name).dotted] = dates(value, depth: 0)
            }
        }
        return conditions
    }

    /// Replaces every `{"$date": "2027-02-06T00:00:00Z"}` in the value by a Date value, at any depth.
    private static func dates(_ value: JSONValue, depth: Int) -> JSONValue {
        guard depth < JSONReader.depthMax else { return value }
        switch value {
        case .object(let object):
            if object.count == 1, let date = object["$date"]?.string.flatMap(ParseDate.init(iso:)) { return date.json }
            return .object(JSONObject(object.map { ($0.key, dates($0.value, depth: depth + 1)) }))
        case .array(let elements): return .array(elements.map { dates($0, depth: depth + 1) })
        default: return value
        }
    }
}
