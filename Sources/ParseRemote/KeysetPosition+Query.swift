import ParseModel
import RemoteService
import SyncModel

extension KeysetPosition {
    /// The query for the rows of a pull from this position on.
    func query(of query: PullQuery, by field: TimeField, limit: Int) -> ListQuery {
        var order = "\(field.rawValue),objectId"
        if case .within = self { order = "objectId" }
        return ListQuery(query, and: conditions(on: field.rawValue), order: order, limit: limit)
    }

    private func conditions(on field: String) -> JSONObject {
        switch self {
        case .start: return [:]
        case .from(let time): return [field: ["$gte": time.wire]]
        case .after(let time, let objectId):
            let tie: JSONValue = [field: time.wire, "objectId": ["$gt": .string(objectId)]]
            return [field: ["$gte": time.wire], "$or": [[field: ["$gt": time.wire]], tie]]
        case .within(let time, let objectId):
            var conditions: JSONObject = [field: ["$gte": time.wire, "$lt": time.next.wire]]
            // The first page has no condition on the id: a server refuses a comparison with an empty id.
            conditions["objectId"] = objectId.map { ["$gt": .string($0)] }
            return conditions
        }
    }
}
