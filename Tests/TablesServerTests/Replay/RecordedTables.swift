import Foundation
import ParseModel
import Synchronization
import TablesServer

/// A server with the tables of the recording. Its clock and the ids of new rows follow the recording, so that the whole rows
/// can be compared.
final class RecordedTables: Sendable {
    let server: TablesServer
    private let source: Source

    /// The time and the next id.
    private final class Source: Sendable {
        let values = Mutex<(time: Int64, id: String?)>((0, nil))
    }

    init() throws {
        let source = Source()
        self.source = source
        server = try TablesServer(
            .azure, tables: Self.tables,
            users: .init(
                tokens: ["<token of alice>": "alice", "<token of bob>": "bob"],
                expired: ["<token of alice that has expired>": "2026-11-22T03:23:03.000Z"]),
            now: { source.values.withLock { $0.time } },
            makeId: { source.values.withLock { $0.id } ?? UUID().uuidString.lowercased() })
    }

    /// Prepares the server for an exchange: its time, its next id, and the rows that were inserted between the recordings.
    func prepare(for exchange: RecordedExchange, in recording: [RecordedExchange]) {
        source.values.withLock { values in
            values.time = exchange.changeTime ?? values.time
            values.id = exchange.chosenId
        }
        switch exchange.name {
        case "delete by a filter": insert(exchange.rows, ["name"])
        case "page of 5, no top":
            insert(recording.first { $0.name == "one time for many, delete by a filter" }?.rows ?? [], ["rank"])
        default: break
        }
    }

    /// Inserts rows of a recorded response at the times of their creation, with some of their fields.
    private func insert(_ rows: [JSONObject], _ fields: [String]) {
        for row in rows {
            let time = row["createdAt"]?.string.flatMap { ParseDate(iso: $0) }?.milliseconds ?? 0
            server.put(
                "Small", row["id"]?.string ?? "", JSONObject(fields.map { ($0, row[$0] ?? .null) }), at: time * 1000)
        }
    }

    private static let tables: [TablesServer.Table] = {
        let columns: [TablesServer.Column] = [
            .init("name", .text), .init("date", .date), .init("details", .text), .init("wikipediaLink", .text),
            .init("rank", .number), .init("done", .bool),
        ]
        func table(_ name: String, _ edit: (inout TablesServer.Table) -> Void = { _ in }) -> TablesServer.Table {
            var table = TablesServer.Table(name, columns: columns)
            edit(&table)
            return table
        }
        return [
            table("Holiday"),
            table("Birthday") { table in
                table.columns = [
                    .init("name", .text), .init("date", .date), .init("giftIdeas", .text), .init("facebook", .text),
                ]
            },
            table("Open") { $0.columns = nil },
            table("Hard") { $0.keepsTombstones = false },
            table("Small") { ($0.pageSize, $0.topMax) = (5, 20) },
            table("Numbered") { $0.numbersIds = true },
            table("Fixed") { $0.isReadOnly = true },
            table("Private") { $0.needsToken = true },
            table("Mine") { $0.ownsRowsByUser = true },
        ]
    }()
}
