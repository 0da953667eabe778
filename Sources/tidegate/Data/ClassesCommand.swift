import ArgumentParser
import ParseModel

/// `tidegate classes`: lists the classes.
struct ClassesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "classes", abstract: "Lists the classes, with the number of their objects.",
        discussion: """
            Of a replica, lists the classes whose objects its file has, with the changes that wait to be sent.

            \(ConnectionOptions.explanation)
            """)

    @Flag(help: "Print each class as a line of JSON, or {\"error\": …}.") var json = false
    @OptionGroup var options: ConnectionOptions

    func run() async throws {
        do {
            let status = try await options.client().status()
            let classes = (status["classes"]?.array ?? []).compactMap(\.object)
            if json {
                for entry in classes { Console.print(entry.jsonText) }
            } else {
                Console.print(Self.table(classes, showsWaiting: status["mode"] != "standalone"))
            }
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    static func table(_ classes: [JSONObject], showsWaiting: Bool) -> Table {
        let rows = classes.map { entry in
            let pending = entry["pending"]?.int ?? 0
            return [Table.Cell(entry["name"]?.string ?? ""), Table.Cell(ObjectText.text(of: entry["objects"]))]
                + (showsWaiting ? [Table.Cell("\(pending)", pending > 0 ? .yellow : nil), note(on: entry)] : [])
        }
        return Table(head: ["Class", "Objects"] + (showsWaiting ? ["Waiting", ""] : []), rows: rows)
    }

    private static func note(on entry: JSONObject) -> Table.Cell {
        if let reason = entry["stopped"]?.object?["reason"]?.string { return Table.Cell("stopped: \(reason)", .red) }
        return SyncText.incompleteness(of: entry).map { Table.Cell($0, .yellow) } ?? ""
    }
}
