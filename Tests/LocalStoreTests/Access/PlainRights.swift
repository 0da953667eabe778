import Foundation
import ParseModel

/// Computes the expected answers to queries, object by object, with the pure access rules.
struct PlainRights {
    /// All objects by class, in the order in which they were stored.
    var objects: [String: [JSONObject]]
    /// The permissions by class.
    var permissions: [String: JSONObject]
    /// The members of the field `relation` by owner.
    let members: [Pointer: Set<Pointer>]
    let principal: Principal

    private func rules(_ className: String) -> AccessRules {
        AccessRules(principal, ClassRights(className, permissions: permissions[className]))
    }

    // MARK: Reads

    func found(_ className: String, _ query: ParseQuery) throws -> (page: [JSONObject], count: Int?) {
        try QueryRules(rules).check(query, of: className)
        let page = query.limit == 0 ? [] : try matching(className, query, for: query.reading)
        let count = query.wantsCount ? try matching(className, query, for: .count).count : nil
        return (page.dropFirst(query.skip).prefix(query.limit).map { shown($0, of: className) }, count)
    }

    func object(_ className: String, _ id: String) throws -> JSONObject? {
        try rules(className).authorize(.get, id)
        return try objects[className]?.first {
            try $0["objectId"] == .string(id) && isReadable($0, of: className, for: .get)
        }
        .map { shown($0, of: className) }
    }

    private func shown(_ object: JSONObject, of className: String) -> JSONObject {
        let hidden = rules(className).hiddenFields(in: object["objectId"]?.string ?? "") { object }
        return JSONObject(object.filter { !hidden.contains($0.key) })
    }

    private func matching(
        _ className: String, _ query: ParseQuery, for operation: AccessRules.Operation
    ) throws -> [JSONObject] {
        let matcher = Matcher(className: className, lookups: lookups)
        let predicate = try withReadableOwners(query.predicate)
        let found = try (objects[className] ?? []).filter {
            try isReadable($0, of: className, for: operation) && matcher.matches(predicate, $0)
        }
        return ObjectOrder(query).sorted(found)
    }

    private func isReadable(
        _ object: JSONObject, of className: String, for operation: AccessRules.Operation
    ) throws -> Bool {
        guard AccessControlList(object["ACL"])?.allowsReading(by: principal) != false else { return false }
        return try isAllowed(object, of: className, operation)
    }

    private func isAllowed(
        _ object: JSONObject, of className: String, _ operation: AccessRules.Operation
    ) throws -> Bool {
        switch rules(className).verdict(on: operation, object["objectId"]?.string) {
        case .allowed: true
        case .refused: false
        case .limited(let limit): try Matcher(className: className, lookups: lookups).matches(limit, object)
        }
    }

    /// The predicate without the relations of owners that the caller may not read.
    private func withReadableOwners(_ predicate: ParseModel.Predicate) throws -> ParseModel.Predicate {
        switch predicate {
        case .and(let parts): return .and(try parts.map(withReadableOwners))
        case .or(let parts): return .or(try parts.map(withReadableOwners))
        case .nor(let parts): return .nor(try parts.map(withReadableOwners))
        case .field: return predicate
        case .relatedTo(let owner, _):
            let found = (objects[owner.className] ?? []).first { $0["objectId"] == .string(owner.objectId) }
            guard let found, try isReadable(found, of: owner.className, for: .get) else { return .or([]) }
            return predicate
        }
    }

    private var lookups: Matcher.Lookups {
        Matcher.Lookups(
            regex: { pattern, options, text in
                var flags: NSRegularExpression.Options = []
                if options.contains("i") { flags.insert(.caseInsensitive) }
                if options.contains("m") { flags.insert(.anchorsMatchLines) }
                if options.contains("s") { flags.insert(.dotMatchesLineSeparators) }
                if options.contains("x") { flags.insert(.allowCommentsAndWhitespace) }
                let expression = try NSRegularExpression(pattern: pattern, options: flags)
                return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
            },
            isMember: { member, owner, field in field == "relation" && members[owner]?.contains(member) == true },
            objects: { query in
                try matching(query.className, ParseQuery(predicate: query.predicate), for: query.reading)
            })
    }

    // MARK: Writes

    /// Checks that the caller may write an object.
    /// - Parameter addsField: whether the write adds a field to the class.
    func checkWrite(
        _ operation: AccessRules.Operation, _ className: String, _ id: String, addsField: Bool = false
    ) throws {
        let rules = rules(className)
        try rules.authorize(operation, id)
        guard let object = objects[className]?.first(where: { $0["objectId"] == .string(id) }),
            AccessControlList(object["ACL"])?.allowsWriting(by: principal) != false,
            try isAllowed(object, of: className, operation)
        else { throw refusal(className, id) }
        guard addsField else { return }
        try rules.authorize(.addField(creates: false))
        let isAllowed = try isAllowed(object, of: className, .addField(creates: false))
        guard isAllowed else { throw refusal(className, id) }
    }

    /// The error for a missing object, and for one that the caller may not write. A caller who may read the object
    /// gets a different error for each case.
    private func refusal(_ className: String, _ id: String) -> ParseError {
        let isReadable = (try? object(className, id)) ?? nil != nil
        return isReadable ? ParseError.objectNotFound.denyingWrite : .objectNotFound
    }
}
