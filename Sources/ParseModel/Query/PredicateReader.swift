/// Reads the JSON of `where` as a predicate, and throws if it exceeds a limit of `Predicate`.
///
/// The errors are those of Parse Server's `validateQuery`, `transformConstraint` and `RestQuery`, where these define
/// one.
struct PredicateReader {
    /// The numbers of combinations (`$or`, `$and`, `$nor`) and subqueries that contain a condition.
    struct Nesting {
        /// The number of all combinations and subqueries.
        private(set) var levels = 0
        /// The number of combinations inside the innermost subquery.
        private(set) var combinations = 0
        private(set) var subqueries = 0

        var inCombination: Self {
            var inner = self
            inner.levels += 1
            inner.combinations += 1
            return inner
        }

        var inSubquery: Self {
            var inner = self
            inner.levels += 1
            inner.combinations = 0
            inner.subqueries += 1
            return inner
        }
    }

    let terms: QueryTerms
    private var nodes = 0
    private var values = 0

    init(_ terms: QueryTerms) { self.terms = terms }

    /// Reads the JSON of `where`, or of an element of `$or`, `$and` or `$nor`.
    mutating func predicate(_ object: JSONObject, nesting: Nesting) throws(ParseError) -> Predicate {
        guard nesting.levels <= Predicate.depthMax else {
            throw ParseError(.invalidQuery, "where nests deeper than \(Predicate.depthMax) levels")
        }
        try terms.bounds.check(nesting)
        var parts: [Predicate] = []
        for (key, value) in object {
            switch key {
            case "$and": parts.append(.and(try combination(key, value, nesting: nesting.inCombination)))
            case "$or": parts.append(.or(try combination(key, value, nesting: nesting.inCombination)))
            case "$nor": parts.append(.nor(try combination(key, value, nesting: nesting.inCombination)))
            case "$relatedTo":
                try count()
                parts.append(try relatedTo(value))
            case "ACL": throw ParseError(.invalidQuery, "Cannot query on ACL.")
            default: parts += try field(try FieldPath(key), value, nesting: nesting)
            }
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// Reads the conditions on one field: a plain value, or an object of operators. Of `$in`, `$inQuery` and `$select` in one
    /// object, at least one must hold, because Parse Server merges their lists.
    private mutating func field(
        _ path: FieldPath, _ value: JSONValue, nesting: Nesting
    ) throws(ParseError) -> [Predicate] {
        var terms: [Predicate] = []
        var lists: [Predicate] = []
        for constraint in try constraints(value, nesting: nesting) {
            try count()
            let term = Predicate.field(path, constraint)
            switch constraint {
            case .in, .inQuery, .select: lists.append(term)
            default: terms.append(term)
            }
        }
        if !lists.isEmpty { terms.append(lists.count == 1 ? lists[0] : .or(lists)) }
        return terms
    }

    private func relatedTo(_ value: JSONValue) throws(ParseError) -> Predicate {
        let bad = ParseError(.invalidQuery, "bad constraint: $relatedTo needs a pointer as object, and a key")
        guard let object = value.object, let field = object["key"]?.string, let owner = object["object"]?.object,
            object.allSatisfy({ $0.key == "object" || $0.key == "key" }), owner["__type"] == "Pointer",
            let className = owner["className"]?.string, !className.isEmpty
        else { throw bad }
        let objectId: String
        switch owner["objectId"] {
        case nil, .null: objectId = ""
        case .string(let id): objectId = id
        default: throw bad
        }
        do {
            try className.checkStorable()
            try objectId.checkStorable()
            try FieldName.validate(field)
        } catch {
            throw ParseError(.invalidQuery, "bad constraint: $relatedTo: \(error.message)")
        }
        // An owner without an id was never saved, so its relation has no members, and no object matches.
        return objectId.isEmpty ? .or([]) : .relatedTo(Pointer(className: className, objectId: objectId), field: field)
    }

    private mutating func combination(
        _ key: String, _ value: JSONValue, nesting: Nesting
    ) throws(ParseError) -> [Predicate] {
        guard let elements = value.array else {
            throw .denial(.invalidQuery, "Bad \(key) format - use an array value.")
        }
        guard !elements.isEmpty else {
            throw ParseError(.invalidQuery, "Bad \(key) format - use an array of at least 1 value.")
        }
        try count()
        var predicates: [Predicate] = []
        for element in elements {
            guard let object = element.object else {
                throw ParseError(.invalidQuery, "Bad \(key) format - each element must be an object.")
            }
            if object.isEmpty { try count() }
            predicates.append(try predicate(object, nesting: nesting))
        }
        return predicates
    }

    /// Counts the values of a list, and throws if `nodesMax` or `valuesMax` is exceeded.
    mutating func count(list: [JSONValue]) throws(ParseError) {
        try count(values: list.count)
        var kinds: Set<[String]> = []
        for value in list {
            switch value {
            case .string, .number: continue
            case .object(let object):
                guard let type = object["__type"]?.string, Self.listedTypes.contains(type) else { break }
                guard kinds.insert([type, object["className"]?.string ?? ""]).inserted else { continue }
            default: break
            }
            try count()
            try count(inside: value)
        }
    }

    /// Counts the array elements and object members inside a value, and throws if `valuesMax` is exceeded.
    mutating func count(inside value: JSONValue) throws(ParseError) {
        switch value {
        case .array(let elements):
            try count(values: elements.count)
            for element in elements { try count(inside: element) }
        case .object(let object):
            try count(values: object.count)
            for (_, member) in object { try count(inside: member) }
        default: break
        }
    }

    private mutating func count(values count: Int) throws(ParseError) {
        values += count
        guard values <= Predicate.valuesMax else {
            throw ParseError(.invalidQuery, "where has more than \(Predicate.valuesMax) list values")
        }
    }

    /// The types whose values in a list count together as one value towards `nodesMax`. Pointers count as one value for
    /// each class.
    private static let listedTypes: Set<String> = ["Date", "Pointer", "File", "Bytes"]

    mutating func count() throws(ParseError) {
        nodes += 1
        guard nodes <= Predicate.nodesMax else {
            throw ParseError(.invalidQuery, "where has more than \(Predicate.nodesMax) constraints")
        }
    }
}
