import ArgumentParser
import ParseModel

/// `tidegate rejections`: the changes that the remote has refused for good.
struct RejectionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rejections", abstract: "Lists the changes that the remote has refused, and decides them.",
        discussion: ConnectionOptions.explanation, subcommands: [List.self, Retry.self, Discard.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the refused changes, oldest first.")
        @Flag(help: "Print each change as a line of JSON, or {\"error\": …}.") var json = false
        @OptionGroup var options: ConnectionOptions

        func run() async throws {
            try await Decisions.list("/sync/rejections", options, json: json, empty: "No refused changes.") { changes in
                Decisions.table(ofChanges: changes, lastColumn: "reason") {
                    let code = $0["code"]?.int.map { "\($0): " } ?? ""
                    return Table.Cell(code + ($0["error"]?.string ?? ""), .red)
                }
            }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends refused changes again.",
            discussion: "With --object, the given fields replace those of the change.")
        @Argument(help: ArgumentHelp("The numbers of the changes.", valueName: "id")) var ids: [Int]
        @Option(help: ArgumentHelp("The corrected fields: JSON, - or @file.", valueName: "json")) var object: String?
        @Flag(help: Decisions.jsonHelp) var json = false
        @OptionGroup var options: ConnectionOptions

        func validate() throws {
            if object != nil, ids.count > 1 { throw ValidationError("--object corrects one change: give one number") }
        }

        func run() async throws {
            let body: JSONObject = try object.map { ["object": .object(try ObjectInput.json($0))] } ?? [:]
            try await Decisions.each(ids, options, json: json) { client, id in
                _ = try await client.call(.post, "/sync/rejections/\(id)/retry", body)
                return "The change \(id) will be sent again."
            }
        }
    }

    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Discards refused changes. The objects then have the remote's state.")
        @Argument(help: ArgumentHelp("The numbers of the changes.", valueName: "id")) var ids: [Int]
        @Flag(help: Decisions.jsonHelp) var json = false
        @OptionGroup var options: ConnectionOptions

        func run() async throws {
            try await Decisions.each(ids, options, json: json) { client, id in
                _ = try await client.call(.delete, "/sync/rejections/\(id)")
                return "Discarded the change \(id)."
            }
        }
    }
}
