import ParseModel
import StoreService
import SyncModel

/// The queries whose objects the remote reports: the conditions of each pull if a server can match them against a single object.
enum ListenedQueries {
    /// The operators that each Parse Server matches against single objects as it does in a query. With another operator, the queries
    /// of a class have no conditions: the remote then reports changes of further objects, which only cost syncs.
    private static let operators: Set<String> = [
        "$ne", "$lt", "$lte", "$gt", "$gte", "$in", "$nin", "$exists", "$or", "$and",
    ]

    static func of(_ classes: [SyncClass]) -> [PullQuery] {
        let listened = classes.filter { $0.isPulled && $0.stoppedBecause == nil }.sorted { $0.name < $1.name }
        return listened.flatMap { syncClass in
            conditions(of: syncClass.pulls.map(\.pull.conditions)).map {
                PullQuery(className: syncClass.name, conditions: $0, keys: ["objectId"])
            }
        }
    }

    private static func conditions(of pulls: [JSONObject]) -> [JSONObject] {
        guard pulls.allSatisfy({ !$0.isEmpty && isSimple(.object($0)) }) else { return [[:]] }
        var unique: [JSONObject] = []
        for conditions in pulls where !unique.contains(conditions) { unique.append(conditions) }
        return unique
    }

    /// Whether a value has only known operators, and neither nulls nor paths into objects.
    private static func isSimple(_ value: JSONValue) -> Bool {
        switch value {
        case .null: false
        case .array(let elements): elements.allSatisfy(isSimple)
        case .object(let object):
            object.allSatisfy { key, value in
                (key.hasPrefix("$") ? operators.contains(key) : !key.contains(".")) && isSimple(value)
            }
        default: true
        }
    }
}
