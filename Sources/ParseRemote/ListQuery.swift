import ParseModel

/// A question to the list route of one class.
struct ListQuery: Sendable, Hashable {
    var className: String
    /// The `where` of the query; empty for all objects.
    var conditions: JSONObject = [:]
    var order: String?
    var keys: String?
    var limit: Int
    var wantsCount = false

    /// How many objects the class has. With the master key and without a condition a server may answer an estimate.
    static func count(of className: String) -> ListQuery {
        ListQuery(className: className, conditions: ["objectId": ["$exists": true]], limit: 0, wantsCount: true)
    }

    /// The parameters as they stand in a body.
    var parameters: JSONObject {
        var parameters = JSONObject()
        if !conditions.isEmpty { parameters["where"] = .object(conditions) }
        parameters["order"] = order.map { .string($0) }
        parameters["keys"] = keys.map { .string($0) }
        parameters["limit"] = .int(limit)
        if wantsCount { parameters["count"] = 1 }
        return parameters
    }

    /// The parameters as they stand in a URL.
    var urlQuery: String {
        parameters.map { "\($0.key)=\(($0.value.string ?? $0.value.jsonText).percentEncoded)" }.joined(separator: "&")
    }
}
