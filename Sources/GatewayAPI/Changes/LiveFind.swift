import HTTPServer
import ParseModel
import StoreService

/// Answers the find of a subscription over its connection (`{"op":"query"}`, which Parse's JavaScript SDK sends for
/// `subscription.find()`).
struct LiveFind: Sendable {
    let reads: ObjectReads
    let threads: BlockingReads
    /// The time limit of one query.
    let timeMax: Duration

    /// The maximum number of objects in one answer.
    private static let objectsMax: Int64 = 1000
    /// The maximum size of one answer in bytes.
    private static let bytesMax = 2 << 20

    /// - Returns: `{"results":[…]}` as JSON text.
    /// - Throws: the errors of the same query by REST.
    func results(of query: LiveQuery, for reader: LiveReader, _ client: HTTPClientPresence) async throws -> [UInt8] {
        try await reads.readiness.reading(query.className) { try await results(of: query, for: reader, client, $0) }
    }

    /// - Parameter awaited: the classes for whose first sync the find has waited.
    private func results(
        of query: LiveQuery, for reader: LiveReader, _ client: HTTPClientPresence, _ awaited: Set<String>
    ) async throws -> [UInt8] {
        var parameters: JSONObject = ["where": query.conditions, "limit": .int(Int(Self.objectsMax))]
        if let keys = query.keys { parameters["keys"] = .string(keys.sorted().joined(separator: ",")) }
        let target = ObjectTarget(ObjectOperation(kind: .list, className: query.className), [])
        return try await threads.run(.single, for: client) { [reads, timeMax, parameters] in
            try reads.read(
                target, parameters,
                ObjectReads.Terms(
                    showsMark: false, principal: reader.principal, timeout: ReadTimeout(timeMax, for: client),
                    bytesMax: Self.bytesMax, awaited: awaited, sessionToken: nil))
        }.get()
    }
}
