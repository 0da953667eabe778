import ParseModel
import RemoteService
import SyncModel

/// A query for objects of one class, sent to `/classes/{className}`.
struct ListQuery: Sendable, Hashable {
    var className: String
    /// The `where` of the query; empty for all objects.
    var conditions: JSONObject = [:]
    var order: String?
    var keys: String?
    var limit: Int
    var wantsCount = false

    /// A query that counts the matching objects. It always has a condition: a server may answer a count without a
    /// condition under the master key with an estimate.
    static func count(of query: PullQuery, created range: CreatedRange = .all) -> ListQuery {
        var query = ListQuery(query, and: range.conditions, limit: 0, wantsCount: true)
        if query.conditions.isEmpty { query.conditions = ["objectId": ["$exists": true]] }
        return query
    }

    /// A query for the id of one arbitrary object that a pull covers.
    /// - Parameter more: further conditions; empty for none.
    static func anyObject(of query: PullQuery, and more: JSONObject = [:]) -> ListQuery {
        var query = ListQuery(query, and: more, limit: 1)
        query.keys = "objectId"
        return query
    }

    /// The parameters of the query as a JSON body.
    var parameters: JSONObject {
        var parameters = JSONObject()
        if !conditions.isEmpty { parameters["where"] = .object(conditions) }
        parameters["order"] = order.map { .string($0) }
        parameters["keys"] = keys.map { .string($0) }
        parameters["limit"] = .int(limit)
        if wantsCount { parameters["count"] = 1 }
        return parameters
    }

    /// The parameters of the query as the query string of a URL.
    var urlQuery: String {
        parameters.map { name, value in "\(name)=\(PercentCoding.encoded(value.string ?? value.jsonText))" }
            .joined(separator: "&")
    }
}

extension ListQuery {
    /// Adds conditions to the query of a pull.
    /// - Parameter more: the added conditions; empty for none.
    init(_ query: PullQuery, and more: JSONObject, order: String? = nil, limit: Int, wantsCount: Bool = false) {
        var conditions = more
        if more.isEmpty {
            conditions = query.conditions
        } else if !query.conditions.isEmpty {
            // `query.conditions` and `more` may have conditions on the same field, so `$and` combines them.
            conditions = ["$and": [.object(query.conditions), .object(more)]]
        }
        self.init(
            className: query.className, conditions: conditions, order: order,
            keys: query.keys.map { $0.joined(separator: ",") }, limit: limit, wantsCount: wantsCount)
    }
}

extension CreatedRange {
    fileprivate var conditions: JSONObject {
        var bounds = JSONObject()
        bounds["$gte"] = from?.wire
        bounds["$lt"] = to?.wire
        return bounds.isEmpty ? [:] : ["createdAt": .object(bounds)]
    }

    /// The conditions for the objects that were created in the range.
    /// - Parameter objectId: excludes this id and lower ones; nil for all ids.
    func conditions(after objectId: String?) -> JSONObject {
        var conditions = conditions
        conditions["objectId"] = objectId.map { ["$gt": .string($0)] }
        return conditions
    }
}

extension ParseDate {
    /// The date in Parse's JSON.
    var wire: JSONValue { ["__type": "Date", "iso": .string(iso)] }
}
