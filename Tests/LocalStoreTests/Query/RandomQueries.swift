import ParseModel

/// Draws objects and queries that have much to do with each other: few fields, and few values of every type.
struct RandomQueries {
    private let clock: TestClock
    /// Objects whose values occur in the conditions of queries.
    var known: [JSONObject] = []

    init(seed: UInt64) { clock = TestClock(seed: seed) }

    func below(_ count: Int) -> Int { clock.random(below: count) }
    func chance(_ oneIn: Int) -> Bool { below(oneIn) == 0 }
    func pick<Value>(_ choices: [Value]) -> Value { choices[below(choices.count)] }
    func some<Value>(upTo count: Int, _ draw: () -> Value) -> [Value] { (0..<below(count + 1)).map { _ in draw() } }

    static let classNames = ["Row", "Other"]
    static let ids = (0..<24).map { "id\($0)" }

    // MARK: Objects

    /// The names of the fields. Each of them may hold a value of any type, but mostly of the type that its name suggests.
    private static let fields = ["any", "text", "num", "list", "obj", "link", "geo", "poly", "when"]

    func object() -> JSONObject {
        var object = JSONObject()
        for field in Self.fields where !chance(4) { object[field] = value(of: field) }
        return object
    }

    private func value(of field: String) -> JSONValue {
        if chance(12) { return scalar() }
        return switch field {
        case "text": .string(text())
        case "num": number()
        case "list": list()
        case "obj": nested()
        case "link": pointer()
        case "geo": point()
        case "poly": polygon()
        case "when": date()
        default: chance(4) ? (chance(2) ? list() : nested()) : scalar()
        }
    }

    func scalar() -> JSONValue {
        switch below(12) {
        case 0: .null
        case 1: .bool(chance(2))
        case 2, 3: number()
        case 4, 5: .string(text())
        case 6: date()
        case 7: pointer()
        case 8: ["__type": "Bytes", "base64": .string(pick(["aGk=", "TWFu"]))]
        case 9: ["__type": "File", "name": .string(pick(["f", "coffee"])), "url": .string(pick(["u", "v"]))]
        case 10: point()
        default: polygon()
        }
    }

    private func number() -> JSONValue { pick([0, 1, 2, 1.5, -1, 1e3, 2.0, 9_007_199_254_740_992, 1e21, -0.25]) }

    private func text() -> String {
        pick([
            "", "a", "b", "A", "ab", "Ab cd", "é", "E\u{301}", "1", "f", "x\ny", "{\"k\":1}", "[1]", "coffee",
            "Café con leche",
            "coffee and cake", "id1", "2020-01-01T00:00:00.000Z", "日本 🎄",
        ])
    }

    private func date() -> JSONValue {
        ParseDate(milliseconds: Int64(pick([0, 1, 1000, 86_400_000, -5])) + 1_577_836_800_000).json
    }

    func pointer() -> JSONValue {
        Pointer(className: pick(Self.classNames), objectId: pick(Array(Self.ids.prefix(6)))).json
    }

    private func point() -> JSONValue { GeoPoint(latitude: degrees(45), longitude: degrees(89)).json }

    private func degrees(_ max: Int) -> Double { Double(below(2 * max + 1) - max) + (chance(3) ? 0.5 : 0) }

    private func polygon() -> JSONValue { ["__type": "Polygon", "coordinates": .array(corners().map(pair))] }

    private func corners() -> [GeoPoint] {
        (0..<3 + below(3)).map { _ in GeoPoint(latitude: degrees(45), longitude: degrees(89)) }
    }

    private func pair(_ point: GeoPoint) -> JSONValue {
        [.number(JSONNumber(point.latitude)), .number(JSONNumber(point.longitude))]
    }

    private func list() -> JSONValue { .array(some(upTo: 4) { chance(6) ? nested() : chance(8) ? list() : scalar() }) }

    private func nested() -> JSONValue {
        var object = JSONObject()
        for key in ["k", "m", "0"] where !chance(3) {
            object[key] = chance(6) ? nested() : chance(6) ? list() : scalar()
        }
        return .object(object)
    }

    // MARK: Queries

    func path() -> String {
        switch below(12) {
        case 0: pick(["objectId", "createdAt", "updatedAt"])
        case 1: pick(["obj.k", "obj.m", "obj.0", "any.k", "obj.k.m"])
        case 2: pick(["list.0", "list.1", "any.0", "obj.m.0", "list.0.k"])
        case 3: pick(["relation", "nothing"])
        default: pick(Self.fields)
        }
    }

    /// A value that some field is likely to have.
    private func operand(for path: String) -> JSONValue {
        if !known.isEmpty, !chance(3), let path = try? FieldPath(path), let value = path.value(in: pick(known)) {
            if let elements = value.array, !elements.isEmpty, !chance(6) { return pick(elements) }
            return value
        }
        return switch path {
        case "objectId": chance(6) ? scalar() : .string(pick(Self.ids))
        case "createdAt", "updatedAt": chance(6) ? scalar() : chance(3) ? .string(time().iso) : time().json
        case "relation": pointer()
        default: chance(8) ? list() : chance(8) ? nested() : value(of: chance(2) ? path : "any")
        }
    }

    private func time() -> ParseDate { ParseDate(milliseconds: Int64(below(24)) * 1000) }

    /// - Parameter depth: the maximum nesting of the conditions.
    func conditions(depth: Int = 3) -> JSONValue {
        var object = JSONObject()
        for _ in 0..<(chance(3) ? 2 : chance(10) ? 0 : 1) {
            if depth > 0, chance(4) {
                object[pick(["$or", "$and", "$nor"])] = .array(
                    chance(4) ? onOneField(depth) : (0..<1 + below(3)).map { _ in conditions(depth: depth - 1) })
            } else if chance(20) {
                object["$relatedTo"] = [
                    "object": Pointer(className: pick(Self.classNames), objectId: pick(Self.ids)).json,
                    "key": "relation",
                ]
            } else {
                let (path, constraint) = term(depth)
                object[path] = constraint
            }
        }
        return .object(object)
    }

    /// Conditions of which most are on one field, which the compiler joins.
    private func onOneField(_ depth: Int) -> [JSONValue] {
        let path = path()
        return (0..<2 + below(5)).map { _ in
            chance(6) ? conditions(depth: depth - 1) : [path: constraint(path, depth: depth - 1)]
        }
    }

    /// Some operators find something in fields of one type only.
    private func term(_ depth: Int) -> (path: String, constraint: JSONValue) {
        switch below(16) {
        case 0: ("geo", .object(near()))
        case 1: ("geo", .object(area()))
        case 2: ("poly", ["$geoIntersects": ["$point": point()]])
        case 3: (pick(["text", "any"]), ["$text": ["$search": search()]])
        case 4 where depth > 0:
            (pick(["link", "relation", "list"]), [pick(["$inQuery", "$notInQuery"]): .object(inner(depth))])
        default:
            {
                let path = path()
                return (path, constraint(path, depth: depth))
            }()
        }
    }

    private func constraint(_ path: String, depth: Int) -> JSONValue {
        if chance(5) {
            // The value of a condition may be an empty list or a list of lists, but not an object whose keys are
            // operators.
            return operand(for: path)
        }
        var object = JSONObject()
        for _ in 0..<(chance(5) ? 2 : 1) {
            for (key, value) in operation(path, depth: depth) where object[key] == nil { object[key] = value }
        }
        if object["$options"] != nil, object["$regex"] == nil { object["$options"] = nil }
        return .object(object)
    }

    private func operation(_ path: String, depth: Int) -> JSONObject {
        let values = JSONValue.array(some(upTo: 4) { operand(for: path) })
        switch below(depth > 0 ? 19 : 15) {
        case 0: return ["$eq": operand(for: path)]
        case 1: return ["$ne": operand(for: path)]
        case 2, 3: return [pick(["$lt", "$lte", "$gt", "$gte"]): comparable(path)]
        case 4: return ["$in": values]
        case 5: return ["$nin": values]
        case 6: return ["$exists": .bool(chance(2))]
        case 7: return ["$all": .array(some(upTo: chance(3) ? 7 : 2) { operand(for: path) })]
        case 8: return ["$all": .array(some(upTo: 2) { ["$regex": .string(pattern())] })]
        case 9: return ["$containedBy": .array(some(upTo: 9) { chance(3) ? operand(for: path) : scalar() })]
        case 10: return ["$regex": .string(pattern()), "$options": .string(pick(["", "i", "m", "s", "x", "im"]))]
        case 11: return ["$text": ["$search": search()]]
        case 12: return near()
        case 13: return area()
        case 14: return ["$geoIntersects": ["$point": point()]]
        case 15: return ["$inQuery": .object(inner(depth))]
        case 16: return ["$notInQuery": .object(inner(depth))]
        default:
            let key = chance(3) ? path : self.path()
            return [pick(["$select", "$dontSelect"]): ["query": .object(inner(depth)), "key": .string(key)]]
        }
    }

    private func comparable(_ path: String) -> JSONValue {
        for _ in 0..<20 {
            let value = operand(for: path)
            switch FieldType(of: value) {
            case .number, .string, .boolean, .date, .pointer: return value
            default: continue
            }
        }
        return number()
    }

    private func pattern() -> String { pick(["a", "^a", "b$", "^$", ".", "c.*e", "\\d", "^\\Qab\\E", "[ée]", "x.y"]) }

    private func search() -> JSONValue {
        var search: JSONObject = [
            "$term": .string(pick(["coffee", "cafe", "Leche -con", "\"con leche\"", "cake ab", "-coffee cake", "é"]))
        ]
        if chance(3) { search["$caseSensitive"] = .bool(chance(2)) }
        if chance(3) { search["$diacriticSensitive"] = .bool(chance(2)) }
        return .object(search)
    }

    private func near() -> JSONObject {
        var near: JSONObject = ["$nearSphere": point()]
        switch below(5) {
        case 0: near["$maxDistance"] = pick([0, 0.5, 4])
        case 1: near["$maxDistanceInRadians"] = pick([0.25, 1])
        case 2: near["$maxDistanceInMiles"] = pick([1000, 3000])
        case 3: near["$maxDistanceInKilometers"] = pick([500, 5000])
        default: break
        }
        return near
    }

    private func area() -> JSONObject {
        switch below(4) {
        case 0: ["$within": ["$box": [point(), point()]]]
        case 1: ["$geoWithin": ["$centerSphere": [point(), pick([0, 0.3, 1, 3])]]]
        case 2: ["$geoWithin": ["$polygon": .array(corners().map(\.json))]]
        default: ["$geoWithin": ["$polygon": polygon()]]
        }
    }

    private func inner(_ depth: Int) -> JSONObject {
        var query: JSONObject = ["className": .string(pick(Self.classNames)), "where": conditions(depth: depth - 1)]
        if chance(2) { query["order"] = .string(order()) }
        if chance(3) { query["limit"] = .int(below(8)) }
        if chance(4) { query["skip"] = .int(below(4)) }
        return query
    }

    func order() -> String {
        some(upTo: 3) { (chance(2) ? "-" : "") + path() }.joined(separator: ",")
    }

    /// A query for values of a field without arrays, in the order of another field.
    func parametersInOrder() -> JSONObject {
        let field = pick(["text", "num", "when", "link"])
        let bound: JSONValue =
            switch field {
            case "text": .string(text())
            case "num": number()
            case "when": date()
            default: pointer()
            }
        let order = (chance(2) ? "-" : "") + pick(["createdAt", "text", "num", "when", "any"])
        let isRange = chance(3)
        return [
            "where": [field: isRange ? [pick(["$lt", "$lte", "$gt", "$gte"]): bound] : operand(for: field)],
            "order": .string(order),
            "count": 1, "limit": .int(chance(3) ? below(5) : 1000), "skip": .int(chance(4) ? 1 : 0),
        ]
    }

    func parameters() -> JSONObject {
        var parameters: JSONObject = ["where": conditions(), "order": .string(order()), "count": 1, "limit": 1000]
        if chance(3) { parameters["limit"] = .int(below(10)) }
        if chance(3) { parameters["skip"] = .int(below(5)) }
        if chance(5) { parameters["order"] = "$score" }
        return parameters
    }
}
