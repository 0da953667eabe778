import Gateway
import ParseModel

/// Reads the objects of a class page by page, so that a list of any length takes the memory of one page.
struct ObjectPages {
    let client: GatewayClient
    let className: String
    var filter: JSONObject = [:]
    /// The sort order, such as `-due,name`; nil for the order of the gateway.
    var order: String?
    var fields: [String]?
    var showsSyncState = false

    private static let pageMax = 1000

    /// Calls `body` with each page.
    /// - Parameter limit: the maximum number of objects; nil for all. If one page does not suffice, an order of the gateway is
    ///   replaced by that of the ids, because only an order by a unique field loses no object while others write.
    func each(upTo limit: Int?, _ body: ([JSONObject]) throws -> Void) async throws {
        let isPaged = limit.map { $0 > Self.pageMax } ?? true
        var (read, lastId): (Int, String?) = (0, nil)
        while limit.map({ read < $0 }) ?? true {
            let size = min(Self.pageMax, (limit ?? .max) - read)
            let page = try await self.page(size: size, skipping: read, after: lastId, isPaged: isPaged)
            if page.isEmpty { return }
            try body(page)
            read += page.count
            lastId = page.last?["objectId"]?.string
        }
    }

    private func page(size: Int, skipping: Int, after lastId: String?, isPaged: Bool) async throws -> [JSONObject] {
        var filter = filter
        var parameters = [("limit", "\(size)")]
        if let order {
            parameters.append(("order", order + ",objectId"))
            if skipping > 0 { parameters.append(("skip", "\(skipping)")) }
        } else if isPaged {
            parameters.append(("order", "objectId"))
            if let lastId {
                let rest: JSONObject = ["objectId": ["$gt": .string(lastId)]]
                filter = filter.isEmpty ? rest : ["$and": [.object(filter), .object(rest)]]
            }
        } else if skipping > 0 {
            parameters.append(("skip", "\(skipping)"))
        }
        if !filter.isEmpty { parameters.append(("where", filter.jsonText)) }
        if let fields { parameters.append(("keys", fields.joined(separator: ","))) }
        if showsSyncState { parameters.append(("_sync", "true")) }
        let query = parameters.map { "\($0)=\(PercentCoding.encoded($1))" }.joined(separator: "&")
        let answer = try await client.call(.get, ObjectName.path(of: className) + "?" + query)
        return answer["results"]?.array?.compactMap(\.object) ?? []
    }
}
