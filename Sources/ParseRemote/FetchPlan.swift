import ParseModel
import RemoteService
import SyncModel

/// Plans the queries that read objects by id. A server may return fewer rows than requested, so missing objects are
/// requested again. The remaining objects count as not existing only after an empty answer.
struct FetchPlan {
    /// The maximum number of ids in one query.
    static let idsMax = 100
    /// The maximum number of queries in one batch. It is small because whole objects make large answers.
    static let queriesMax = 10

    private let className: String
    private var open: [[String]]
    private(set) var found: [RemoteRecord] = []

    init(className: String, objectIds: [String]) {
        self.className = className
        var seen: Set<String> = []
        open = objectIds.filter { seen.insert($0).inserted }.chunks(of: Self.idsMax).map { Array($0) }
    }

    /// The queries of the next round; empty at the end.
    var queries: [ListQuery] {
        open.map { objectIds in
            ListQuery(
                className: className, conditions: ["objectId": ["$in": .array(objectIds.map { .string($0) })]],
                limit: objectIds.count)
        }
    }

    /// Adds the objects of the replies to `found`, and plans another round for objects that are still missing.
    mutating func take(_ replies: [ListReply]) throws(RemoteError) {
        var stillOpen: [[String]] = []
        for (objectIds, reply) in zip(open, replies) {
            let records = try reply.records()
            var missing = Set(objectIds)
            for record in records {
                guard missing.remove(record.objectId) != nil else {
                    throw .faulty(status: 200, reason: "an object came that was not asked for, or came twice")
                }
            }
            found.append(contentsOf: records)
            if !records.isEmpty, !missing.isEmpty { stillOpen.append(objectIds.filter(missing.contains)) }
        }
        open = stillOpen
    }
}
