import ParseModel
import RemoteService
import SyncModel

/// Reads tables: pages of changes, lists of ids, counts, and rows by id.
struct TableReads: Sendable {
    private let exchange: TableExchange

    init(_ exchange: TableExchange) { self.exchange = exchange }

    // MARK: Pulls

    /// Requests the pages of several pulls at the same time.
    func pull(_ pulls: [PullRequest]) async throws(RemoteError) -> [PullPage] {
        try await Concurrently.map(pulls) { request throws(RemoteError) in try await page(request) }
    }

    private func page(_ request: PullRequest) async throws(RemoteError) -> PullPage {
        let table = try await exchange.table(of: request.className)
        try await searchForTombstone(in: table)
        let filter = TableFilter(dialect: table.rules, values: table.values)
        var plan = PagePlan(request)
        while plan.page == nil {
            let wanted = try filter.expression(request.query.conditions).map { "(\($0) or deleted eq true)" }
            let parts = [wanted, plan.position.expression(table.rules)].compactMap { $0 }
            let answer = try await exchange.list(
                TableList(
                    filter: TableFilter.joined(parts, by: "and"), order: plan.position.order,
                    limit: request.limit, includesDeleted: true),
                of: table)
            var rows: [RemoteRecord] = []
            for row in answer.rows { rows.append(try exchange.record(row, of: table).selecting(request.query.keys)) }
            if rows.isEmpty, request.cursor == nil { try await requireColumns(of: request.query.conditions, in: table) }
            let counted = plan.wantsCount ? try await count(request.counted, .all, of: table) : nil
            try plan.take(rows, at: answer.serverTime, counted: counted)
        }
        guard let page = plan.page else { throw .faulty(status: 200, reason: "the page is not complete") }
        return page
    }

    /// Searches the table for a tombstone, once for each class. If none is found, deletions are found by comparing the
    /// local objects with the remote ones.
    private func searchForTombstone(in table: Table) async throws(RemoteError) {
        guard exchange.knowledge.beginSearch(table.className) else { return }
        do {
            let answer = try await exchange.list(
                TableList(filter: "deleted eq true", columns: ["id", "deleted"], limit: 1, includesDeleted: true),
                of: table)
            if answer.rows.contains(where: { $0.object?["deleted"] == true }) {
                exchange.knowledge.noteTombstone(table.className)
            }
        } catch {
            switch error {
            case .unreachable, .interrupted, .overloaded, .unauthorized, .classUnauthorized:
                exchange.knowledge.searchFailed(table.className)
                throw error
            // A table without the column `deleted` keeps no tombstones.
            case .faulty, .failed, .misaddressed, .tooMuch, .refused: return
            }
        }
    }

    /// Checks that the table has the columns of the conditions. A table with a dynamic schema answers a filter by an
    /// unknown column with an empty list.
    private func requireColumns(of conditions: JSONObject, in table: Table) async throws(RemoteError) {
        let names = TableFilter.columns(in: conditions)
        guard !names.isEmpty else { return }
        let answer = try await exchange.list(TableList(limit: 1, includesDeleted: true), of: table)
        guard let known = answer.rows.first?.object?.keys.map({ $0.lowercased() }) else { return }
        if let missing = names.first(where: { !known.contains($0.lowercased()) }) {
            throw .refused(
                code: ParseError.Code.invalidQuery.rawValue,
                message: "The table of \(table.className) has no column \(missing).")
        }
    }

    // MARK: Lists

    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage {
        let stamps = try await stamps(of: query, range, after: last, in: try await exchange.table(of: query.className))
        return ObjectStampPage(stamps: stamps, isLast: stamps.isEmpty)
    }

    /// Lists the ids of each range, page by page.
    func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]] {
        let table = try await exchange.table(of: query.className)
        var lists: [[String]] = []
        var bounds = exchange.configuration.listBounds
        for range in ranges {
            var ids: [String] = []
            while true {
                let page = try await stamps(of: query, range, after: ids.last, in: table).map(\.objectId)
                if page.isEmpty { break }
                try bounds.take(page)
                ids += page
            }
            lists.append(ids)
        }
        return lists
    }

    /// One page of ids in the server's order, without tombstones.
    private func stamps(
        of query: PullQuery, _ range: CreatedRange, after last: String?, in table: Table
    ) async throws(RemoteError) -> [ObjectStamp] {
        let wanted = try TableFilter(dialect: table.rules, values: table.values).expression(query.conditions)
        let rest = last.flatMap { $0.isEmpty ? nil : "id gt \(TableFilter.text($0))" }
        let parts = [wanted, try self.range(range, table), rest].compactMap { $0 }
        let answer = try await exchange.list(
            TableList(filter: TableFilter.joined(parts, by: "and"), order: "id", columns: ["id", "updatedAt"]),
            of: table)
        var stamps: [ObjectStamp] = []
        for row in answer.rows { stamps.append(try ObjectStamp(row, of: table.className)) }
        if let last, stamps.contains(where: { $0.objectId == last }) {
            throw .faulty(status: 200, reason: "the list of ids does not advance")
        }
        return stamps
    }

    private func range(_ range: CreatedRange, _ table: Table) throws(RemoteError) -> String? {
        guard range == .all || table.rules.hasCreationTimes else {
            throw .refused(
                code: ParseError.Code.invalidQuery.rawValue, message: "The remote's tables have no createdAt.")
        }
        return range.expression(table.rules)
    }

    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?] {
        let table = try await exchange.table(of: query.className)
        return try await Concurrently.map(ranges) { range throws(RemoteError) in
            try await count(query, range, of: table)
        }
    }

    private func count(_ query: PullQuery, _ range: CreatedRange, of table: Table) async throws(RemoteError) -> Int? {
        let wanted = try TableFilter(dialect: table.rules, values: table.values).expression(query.conditions)
        let parts = [wanted, try self.range(range, table)].compactMap { $0 }
        let answer = try await exchange.list(
            TableList(
                filter: TableFilter.joined(parts, by: "and"), columns: ["id"], limit: 1, wantsCount: true), of: table)
        guard let count = answer.count, count >= 0 else {
            throw .faulty(status: 200, reason: "the count of \(table.className) is missing")
        }
        return count
    }

    /// The maximum number of objects that `created` lists.
    private static let createdMax = 10_000

    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord] {
        let table = try await exchange.table(of: className)
        // For a row without `createdAt`, the time of its last change is used: the row was created at that time or
        // before.
        let column = table.rules.hasCreationTimes ? "createdAt" : "updatedAt"
        let since = "\(column) ge \(table.rules.literal(since))"
        var found: [RemoteRecord] = []
        while found.count < Self.createdMax {
            let rest = found.last.map { "id gt \(TableFilter.text($0.objectId))" }
            let filter = TableFilter.joined([since, rest].compactMap { $0 }, by: "and")
            let answer = try await exchange.list(TableList(filter: filter, order: "id"), of: table)
            if answer.rows.isEmpty { break }
            for row in answer.rows { found.append(try exchange.record(row, of: table)) }
        }
        return found.sorted { ($0.createdAt, $0.objectId) < ($1.createdAt, $1.objectId) }
    }

    // MARK: Objects by id

    /// The maximum number of ids in one list. Servers refuse URLs beyond 16 KiB, and proxies URLs beyond 8 kB.
    private static let (idsMax, idBytesMax) = (25, 4000)

    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord] {
        let table = try await exchange.table(of: className)
        var seen: Set<String> = []
        var open = objectIds.filter { !$0.isEmpty && seen.insert($0).inserted }[...]
        var found: [RemoteRecord] = []
        while !open.isEmpty {
            var bytes = 0
            let asked = Array(
                open.prefix(Self.idsMax).enumerated().prefix { place, id in
                    bytes += PercentCoding.encoded(id).utf8.count + 20
                    return place == 0 || bytes <= Self.idBytesMax
                }.map(\.element))
            open = open.dropFirst(asked.count)
            found += try await rows(asked, of: table)
        }
        return found
    }

    /// Reads rows and tombstones by id. A page may be smaller than requested, so the missing rows are requested again
    /// until an answer returns no missing row.
    private func rows(_ ids: [String], of table: Table) async throws(RemoteError) -> [RemoteRecord] {
        var missing = Set(ids)
        var found: [RemoteRecord] = []
        while !missing.isEmpty {
            let parts = ids.filter(missing.contains).map { "id eq \(TableFilter.text($0))" }
            let answer = try await exchange.list(
                TableList(filter: TableFilter.joined(parts, by: "or"), includesDeleted: true), of: table)
            var isProgress = false
            for row in answer.rows {
                let record = try exchange.record(row, of: table)
                // A database may compare ids without case, and return rows with other ids than the requested ones.
                guard missing.remove(record.objectId) != nil else { continue }
                found.append(record)
                isProgress = true
            }
            if !isProgress { break }
        }
        return found
    }
}

extension RemoteRecord {
    /// The record with only the fields that the `keys` of a pull name; the whole record if `keys` is nil. The request
    /// itself names no columns: a table with a dynamic schema would answer an unknown column with an empty list.
    fileprivate func selecting(_ keys: [String]?) -> RemoteRecord {
        guard let keys, !isDeleted else { return self }
        var fields = fields
        fields.removeAll { !keys.contains($0) }
        return replacing(fields: fields, marks: operationMarks)
    }
}
