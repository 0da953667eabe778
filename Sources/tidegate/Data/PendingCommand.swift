import ArgumentParser
import ParseModel

/// `tidegate pending`: the local changes that the remote has not acknowledged.
struct PendingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pending", abstract: "Lists the changes that wait to be sent, and undoes unsent ones.",
        discussion: ConnectionOptions.explanation, subcommands: [List.self, Undo.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the changes, oldest first.")
        @Flag(help: "Print each change as a line of JSON, or {\"error\": …}.") var json = false
        @OptionGroup var options: ConnectionOptions

        func run() async throws {
            try await Decisions.list("/sync/pending", options, json: json, empty: "No changes wait.") { changes in
                Decisions.table(ofChanges: changes, lastColumn: "state") { Table.Cell($0["phase"]?.string ?? "") }
            }
        }
    }

    struct Undo: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Undoes changes that have not been sent. The object then has the state before the change.")
        @Argument(help: ArgumentHelp("The numbers of the changes.", valueName: "id")) var ids: [Int]
        @Flag(help: Decisions.jsonHelp) var json = false
        @OptionGroup var options: ConnectionOptions

        func run() async throws {
            try await Decisions.each(ids, options, json: json) { client, id in
                _ = try await client.call(.delete, "/sync/pending/\(id)")
                return "Undid the change \(id)."
            }
        }
    }
}
