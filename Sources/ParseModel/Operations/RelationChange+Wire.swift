extension RelationChange {
    /// The names of the relation operations. A `Batch` combines AddRelation and RemoveRelation operations.
    static let operators: Set<String> = ["AddRelation", "RemoveRelation", "Batch"]

    /// The maximum number of added and removed members in one relation operation. Each member is a row of the file, and
    /// other writes wait while the rows are stored.
    static let membersMax = 10_000

    /// Reads an `AddRelation`, a `RemoveRelation`, or a `Batch` of them. If a batch adds and removes the same member,
    /// its last operation on this member applies.
    /// - Throws: Parse error 107 (invalid JSON) if members are missing or not pointers, 111 (incorrect type) for members of
    ///   several classes, 116 (object too large) for too many members, and the errors of `asFieldValue`.
    init(json: JSONObject, field: String, className: String) throws(ParseError) {
        let parts = try Self.parts(of: json)
        guard parts.reduce(0, { $0 + ($1["objects"]?.array?.count ?? 0) }) <= Self.membersMax else {
            throw ParseError(.objectTooLarge, "A write names at most \(Self.membersMax) members of a relation.")
        }
        var changes: [RelationChange] = []
        for part in parts {
            let change = try Self.part(part, field, className)
            if let first = changes.first, first.memberClass != change.memberClass {
                throw .schemaMismatch(
                    className, field, expected: .relation(first.memberClass), got: .relation(change.memberClass))
            }
            changes.append(change)
        }
        guard let first = changes.first else { throw Self.badBatch }
        self = changes.count == 1 ? first : Self.joined(changes, first.memberClass)
    }

    /// One change with the same effect as all `changes` in order.
    private static func joined(_ changes: [RelationChange], _ memberClass: String) -> RelationChange {
        // The last change that contains an id decides whether the id is added or removed. If a later change only
        // repeats this, the id keeps its position in the order.
        var last: [String: (isAdded: Bool, place: Int)] = [:]
        var place = 0
        for change in changes {
            for (ids, isAdded) in [(change.added, true), (change.removed, false)] {
                for id in ids where last[id]?.isAdded != isAdded {
                    last[id] = (isAdded, place)
                    place += 1
                }
            }
        }
        let ids = last.sorted { $0.value.place < $1.value.place }
        return RelationChange(
            memberClass: memberClass, added: ids.filter(\.value.isAdded).map(\.key),
            removed: ids.filter { !$0.value.isAdded }.map(\.key))
    }

    private static let badBatch = ParseError(
        .invalidJSON, "ops of a Batch must be an array of AddRelation and RemoveRelation operations")

    /// The operations of a `Batch`, without those that have no objects: for an added object, the PHP SDK also sends the removal of
    /// none. An operation of another kind is returned as the only element.
    private static func parts(of json: JSONObject) throws(ParseError) -> [JSONObject] {
        guard json["__op"] == "Batch" else { return [json] }
        guard let operations = json["ops"]?.array else { throw badBatch }
        var parts: [JSONObject] = []
        for operation in operations {
            guard let part = operation.object, part["__op"] == "AddRelation" || part["__op"] == "RemoveRelation" else {
                throw badBatch
            }
            parts.append(part)
        }
        let filled = parts.filter { $0["objects"] != [] }
        return filled.isEmpty ? parts : filled
    }

    private static func part(
        _ json: JSONObject, _ field: String, _ className: String
    ) throws(ParseError) -> RelationChange {
        let adds = json["__op"] == "AddRelation"
        guard let objects = json["objects"], objects.array != nil else {
            throw ParseError(.invalidJSON, "objects to \(adds ? "add" : "remove") must be an array")
        }
        let members = (try objects.asFieldValue().array ?? []).map { Pointer($0) }
        guard let first = members.first, let memberClass = first?.className else {
            throw ParseError(.invalidJSON, "members of a relation must be pointers, and at least one")
        }
        var ids: [String] = []
        for member in members {
            guard let member else {
                throw ParseError(.invalidJSON, "members of a relation must be pointers, and at least one")
            }
            guard member.className == memberClass else {
                throw .schemaMismatch(
                    className, field, expected: .relation(memberClass), got: .relation(member.className))
            }
            ids.append(member.objectId)
        }
        return RelationChange(memberClass: memberClass, added: adds ? ids : [], removed: adds ? [] : ids)
    }

    /// Reads a stored change in the form of ``json``. Does not validate it.
    init(stored: JSONObject) {
        let parts = stored["ops"]?.array?.compactMap(\.object) ?? [stored]
        let members = { (name: JSONValue) in
            parts.filter { $0["__op"] == name }.flatMap { $0["objects"]?.array ?? [] }.compactMap { Pointer($0) }
        }
        let (added, removed) = (members("AddRelation"), members("RemoveRelation"))
        self.init(
            memberClass: (added + removed).first?.className ?? "", added: added.map(\.objectId),
            removed: removed.map(\.objectId))
    }

    /// The change as in a request body: `AddRelation`, `RemoveRelation`, or a `Batch` of both.
    var json: JSONValue {
        func part(_ name: String, _ ids: [String]) -> JSONValue {
            let members = ids.map { Pointer(className: memberClass, objectId: $0).json }
            return ["__op": .string(name), "objects": .array(members)]
        }
        if removed.isEmpty { return part("AddRelation", added) }
        if added.isEmpty { return part("RemoveRelation", removed) }
        return ["__op": "Batch", "ops": [part("AddRelation", added), part("RemoveRelation", removed)]]
    }
}
