import LocalStore
import ParseModel

/// `GET /changes`: the change feed, page by page.
struct ChangesRoute: Sendable {
    private static let names: Set<String> = ["since", "classes", "limit"]
    private static let limitDefault: Int64 = 100
    private static let limitMax: Int64 = 1000
    let store: any ObjectStore

    /// - Returns: `{"results":[{"number","className","objectId","kind","object"}],"next":N}` as JSON text.
    func list(_ call: Call) throws -> [UInt8] {
        let parameters = call.parse.parameters
        for name in parameters.keys where !name.hasPrefix("_") && !Self.names.contains(name) {
            throw ParseError(.invalidQuery, "Invalid parameter for query: \(name)")
        }
        let isAtEnd = parameters.text("since") == "latest"
        let since = isAtEnd ? nil : try parameters.wholeNumber("since") ?? 0
        let limit = try parameters.wholeNumber("limit") ?? Self.limitDefault
        guard limit > 0 else { throw ParseError(.invalidQuery, "limit must be 1 or more.") }
        let classes = parameters.text("classes").map { Set($0.split(separator: ",").map(String.init)) }
        let page = try store.changes(since: since, classes: classes, limit: Int(min(limit, Self.limitMax)))

        var writer = JSONWriter(reserving: 512 * page.entries.count + 64)
        writer.raw("{\"results\":[")
        for (i, entry) in page.entries.enumerated() {
            if i > 0 { writer.raw(",") }
            write(entry, showsObject: call.isMaster || !SpecialClasses.areHidden(entry.className), &writer)
        }
        writer.raw("],\"next\":\(page.next)}")
        return writer.bytes
    }

    private func write(_ entry: ChangeEntry, showsObject: Bool, _ writer: inout JSONWriter) {
        writer.raw("{\"number\":\(entry.number),\"className\":")
        writer.write(entry.className)
        writer.raw(",\"objectId\":")
        writer.write(entry.objectId)
        writer.raw(",\"kind\":\"\(entry.kind.rawValue)\"")
        if showsObject, let json = entry.json { writer.raw(",\"object\":\(json)") }
        writer.raw("}")
    }
}
