import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Replaces the inner queries in the conditions of pulls (`$inQuery`, `$notInQuery`, `$select`, `$dontSelect`) by lists
/// of all values that they match.
///
/// A Parse Server may limit inner queries (`subqueryLimit`). It then returns only some of their results, without an
/// error, so that objects would seem to have left or entered the set of pulled objects.
struct InnerQueries {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Replaces the inner queries in the conditions of all pulls. Equal conditions are resolved once.
    func run() async throws(SyncError) {
        for syncClass in context.classes.sorted where syncClass.stoppedBecause == nil {
            for state in syncClass.pulls where state.pull.conditions.hasInnerQuery {
                let conditions = state.pull.conditions
                guard !context.innerQueries.isKnown(conditions) else { continue }
                let resolved = try await resolve(conditions)
                if resolved?.hasInnerQuery != false {
                    context.reporter.warn(
                        "\(syncClass.name): an inner query of the pull \(state.pull.name) is sent as it is, because it has too "
                            + "many results, is redirected or was refused. If the remote limits inner queries, the pull "
                            + "may be incomplete.")
                }
                context.innerQueries.note(resolved ?? conditions, for: conditions)
            }
        }
    }

    /// The conditions with lists of values in place of the inner queries.
    /// - Returns: nil if an inner query matches too many values.
    private func resolve(_ conditions: JSONObject) async throws(SyncError) -> JSONObject? {
        var resolved = JSONObject()
        for (key, value) in conditions {
            if let list = value.array, ["$or", "$and", "$nor"].contains(key) {
                var elements: [JSONValue] = []
                for element in list {
                    guard let object = element.object else {
                        elements.append(element)
                        continue
                    }
                    guard let inner = try await resolve(object) else { return nil }
                    elements.append(.object(inner))
                }
                resolved[key] = .array(elements)
            } else if let object = value.object, object.keys.contains(where: InnerQuery.operators.contains) {
                guard let inner = try await resolve(constraint: object) else { return nil }
                resolved[key] = .object(inner)
            } else {
                resolved[key] = value
            }
        }
        return resolved
    }

    /// Resolves the conditions on one field. If the field also has a `$in` or `$nin`, the values of the inner query are
    /// combined with that list, as on a Parse Server.
    private func resolve(constraint: JSONObject) async throws(SyncError) -> JSONObject? {
        var resolved = constraint
        for name in constraint.keys {
            guard let operand = constraint[name], let query = InnerQuery(name, operand) else { continue }
            guard let conditions = try await resolve(query.conditions) else { return nil }
            let values: [JSONValue]
            switch try await read(query, conditions) {
            case .values(let read): values = read
            case .tooMany: return nil
            // A refused inner query stays. The remote then refuses the pull and gives the reason.
            case .refused: continue
            }
            resolved[name] = nil
            resolved[query.list] = .array((resolved[query.list]?.array ?? []) + values)
        }
        return resolved
    }

    private enum Answer {
        case values([JSONValue])
        case tooMany
        case refused
    }

    private func read(_ query: InnerQuery, _ conditions: JSONObject) async throws(SyncError) -> Answer {
        let valuesMax = context.options.innerQueryValuesMax
        let answer = try await context.remote.answer { remote throws(RemoteError) -> [JSONValue]? in
            guard let key = query.key else {
                let pull = PullQuery(className: query.className, conditions: conditions, keys: ["objectId"])
                guard try await remote.counts(of: pull, created: [.all]).first.flatMap({ $0 }) ?? 0 <= valuesMax
                else { return nil }
                let ids = try await remote.allIds(of: pull, created: [.all]).flatMap { $0 }
                guard ids.count <= valuesMax else { return nil }
                return ids.map { Pointer(className: query.className, objectId: $0).json }
            }
            return try await values(of: key, query.className, conditions, from: remote)
        }
        switch answer {
        case .success(let values?): return .values(values)
        case .success(nil), .failure(.tooMuch): return .tooMany
        case .failure(.refused), .failure(.classUnauthorized): return .refused
        case .failure(let error): throw SyncError(error)
        }
    }

    private static func value(at path: [String], in record: RemoteRecord) -> JSONValue? {
        if path == ["objectId"] { return .string(record.objectId) }
        var value: JSONValue? = .object(record.fields)
        for part in path { value = value?.object?[part] }
        return value
    }

    /// The distinct values of a field in all objects that match the conditions.
    private func values(
        of key: String, _ className: String, _ conditions: JSONObject, from remote: any RemoteService
    ) async throws(RemoteError) -> [JSONValue]? {
        let path = key.split(separator: ".").map(String.init)
        let query = PullQuery(className: className, conditions: conditions, keys: path.first.map { [$0] })
        var values: Set<JSONValue> = []
        var cursor: PullCursor?
        while true {
            guard let page = try await remote.pull([PullRequest(query, cursor: cursor)]).first else { break }
            for case .upsert(let record) in page.changes {
                if let value = Self.value(at: path, in: record) { values.insert(value) }
            }
            guard values.count <= context.options.innerQueryValuesMax else { return nil }
            if page.isLast { break }
            cursor = page.cursor
        }
        return values.sorted { $0.jsonText < $1.jsonText }
    }
}

/// The operand of an operator with an inner query.
private struct InnerQuery {
    static let operators: Set<String> = ["$inQuery", "$notInQuery", "$select", "$dontSelect"]

    let className: String
    let conditions: JSONObject
    /// The field whose values are compared, for `$select` and `$dontSelect`; nil to compare the ids of the objects.
    let key: String?
    /// The operator that replaces the inner query and takes the list of values.
    let list: String

    /// Reads an operator with an inner query.
    /// - Returns: nil for another operator, and for a query that is redirected to another class.
    init?(_ name: String, _ operand: JSONValue) {
        guard Self.operators.contains(name) else { return nil }
        let isSelection = name == "$select" || name == "$dontSelect"
        guard let query = isSelection ? operand.object?["query"]?.object : operand.object,
            let className = query["className"]?.string, query["redirectClassNameForKey"] == nil
        else { return nil }
        self.className = className
        conditions = query["where"]?.object ?? [:]
        key = isSelection ? operand.object?["key"]?.string : nil
        if isSelection, key == nil { return nil }
        list = name == "$inQuery" || name == "$select" ? "$in" : "$nin"
    }
}

extension JSONObject {
    /// Whether the conditions have an inner query at any depth.
    fileprivate var hasInnerQuery: Bool {
        contains { InnerQuery.operators.contains($0.key) || $0.value.hasInnerQuery }
    }
}

extension JSONValue {
    fileprivate var hasInnerQuery: Bool {
        switch self {
        case .object(let object): object.hasInnerQuery
        case .array(let elements): elements.contains(where: \.hasInnerQuery)
        default: false
        }
    }
}
