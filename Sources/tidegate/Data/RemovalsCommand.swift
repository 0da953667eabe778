import ArgumentParser
import ParseModel

/// `tidegate removals`: the removals of objects that wait for a decision.
struct RemovalsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "removals", abstract: "Lists the removals that wait for a decision, and decides them.",
        discussion: """
            A replica does not remove objects by itself if many objects of a class are missing on the remote, or if the remote \
            looks like a restored backup. The objects then stay until you decide.

            \(ConnectionOptions.explanation)
            """, subcommands: [List.self, Confirm.self, Keep.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the held removals, oldest first.")
        @Flag(help: "Print each removal as a line of JSON, or {\"error\": …}.") var json = false
        @OptionGroup var options: ConnectionOptions

        func run() async throws {
            try await Decisions.list("/sync/removals", options, json: json, empty: "No held removals.") { removals in
                let rows = removals.map { removal in
                    [
                        Table.Cell("\(removal["id"]?.int ?? 0)"), Table.Cell(removal["className"]?.string ?? ""),
                        Table.Cell("\(removal["objects"]?.int ?? 0) of \(removal["of"]?.int ?? 0)"),
                        Table.Cell(removal["foundAt"]?.string ?? "", .faint),
                        Table.Cell(Self.text(removal["reason"]?.string ?? ""), .red),
                    ]
                }
                return Table(head: ["id", "class", "objects", "found", "reason"], rows: rows)
            }
        }

        private static func text(_ reason: String) -> String {
            switch reason {
            case "tooMany": "many objects are missing on the remote"
            case "restoredBackup": "the remote looks like a restored backup"
            case "neverShown": "the remote has never shown these objects"
            default: reason
            }
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Accepts the remote's state: removes the missing objects from this gateway.")
        @Argument(help: ArgumentHelp("The numbers of the removals.", valueName: "id")) var ids: [Int]
        @Flag(help: Decisions.jsonHelp) var json = false
        @OptionGroup var options: ConnectionOptions

        func run() async throws {
            try await Decisions.each(ids, options, json: json) { client, id in
                _ = try await client.call(.post, "/sync/removals/\(id)/confirm")
                return "Removed the objects of the removal \(id)."
            }
        }
    }

    struct Keep: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keeps the objects, and sends them to the remote again.")
        @Argument(help: ArgumentHelp("The numbers of the removals.", valueName: "id")) var ids: [Int]
        @Flag(help: Decisions.jsonHelp) var json = false
        @OptionGroup var options: ConnectionOptions

        func run() async throws {
            try await Decisions.each(ids, options, json: json) { client, id in
                _ = try await client.call(.post, "/sync/removals/\(id)/keep")
                return "The objects of the removal \(id) will be sent again."
            }
        }
    }
}
