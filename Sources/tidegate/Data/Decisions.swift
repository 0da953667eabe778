import ArgumentParser
import Gateway
import ParseModel

/// The lists of waiting changes, rejections and conflicts, and the decisions about their entries.
enum Decisions {
    static let jsonHelp: ArgumentHelp = "Print a line of JSON for each number, with the error if it has one."

    /// Prints a list of `/sync`.
    /// - Parameter empty: the line for an empty list, on standard error.
    static func list(
        _ path: String, _ options: ConnectionOptions, json: Bool, empty: String, _ table: ([JSONObject]) -> Table
    ) async throws {
        do {
            let answer = try await options.client().call(.get, path)
            let entries = answer["results"]?.array?.compactMap(\.object) ?? []
            if json {
                for entry in entries { Console.print(entry.jsonText) }
            } else if entries.isEmpty {
                Console.printError(empty)
            } else {
                Console.print(table(entries))
            }
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    /// Decides several entries, and goes on after an error.
    /// - Parameter decide: decides one entry, and returns the line about it.
    static func each(
        _ ids: [Int], _ options: ConnectionOptions, json: Bool, _ decide: (GatewayClient, Int) async throws -> String
    ) async throws {
        do {
            let client = try await options.client()
            try await EachOf.run(ids, json: json) { id in
                try await decide(client, id)
            } name: { id in
                ("\(id): ", ["id": .int(id)])
            }
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    /// The table of changes, with a last column of the caller.
    static func table(
        ofChanges changes: [JSONObject], lastColumn: String, _ last: (JSONObject) -> Table.Cell
    ) -> Table {
        let rows = changes.map { change in
            [
                Table.Cell("\(change["id"]?.int ?? 0)"), Table.Cell(object(of: change)),
                Table.Cell(change["kind"]?.string ?? ""),
                Table.Cell((change["fields"]?.array?.compactMap(\.string) ?? []).joined(separator: ", ")),
                Table.Cell(change["madeAt"]?.string ?? "", .faint), last(change),
            ]
        }
        return Table(head: ["id", "object", "kind", "fields", "made", lastColumn], rows: rows)
    }

    /// The object of an entry: `Holiday/9vKXp2nQwR`.
    static func object(of entry: JSONObject) -> String {
        "\(entry["className"]?.string ?? "")/\(entry["objectId"]?.string ?? "")"
    }
}
