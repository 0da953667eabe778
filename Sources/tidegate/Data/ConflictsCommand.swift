import ArgumentParser
import ParseModel

/// `tidegate conflicts`: the conflicts between local and remote changes.
struct ConflictsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conflicts", abstract: "Lists the conflicts with the remote, and decides them.",
        discussion: ConnectionOptions.explanation, subcommands: [List.self, Resolve.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the conflicts, newest first.")
        @Flag(help: "List the decided conflicts.") var resolved = false
        @Flag(help: "Print each conflict as a line of JSON, or {\"error\": …}.") var json = false
        @OptionGroup var options: ConnectionOptions

        func run() async throws {
            let path = "/sync/conflicts" + (resolved ? "?state=resolved" : "")
            let isResolved = resolved
            try await Decisions.list(path, options, json: json, empty: "No conflicts.") {
                ConflictsCommand.table($0, isResolved: isResolved)
            }
        }
    }

    struct Resolve: AsyncParsableCommand {
        /// The sides of a conflict, as in the API.
        enum Side: String, ExpressibleByArgument, CaseIterable { case local, remote, merge, applied, sendAgain }

        static let configuration = CommandConfiguration(
            abstract: "Decides conflicts.",
            discussion: """
                --keep local and merge apply the local changes to the remote's state, --keep remote drops them. If the answer to \
                a request was lost, --keep applied says that it was executed, and --keep sendAgain that it was not. The \
                fields of --object are set in addition.
                """)
        @Argument(help: ArgumentHelp("The numbers of the conflicts.", valueName: "id")) var ids: [Int]
        @Option(help: "The side that wins.") var keep: Side?
        @Option(help: ArgumentHelp("Fields to set: JSON, - or @file.", valueName: "json")) var object: String?
        @Flag(help: Decisions.jsonHelp) var json = false
        @OptionGroup var options: ConnectionOptions

        func validate() throws {
            if keep == nil, object == nil { throw ValidationError("a decision is missing: give --keep or --object") }
            if object != nil, ids.count > 1 { throw ValidationError("--object is for one conflict: give one number") }
        }

        func run() async throws {
            var body: JSONObject = [:]
            if let keep { body["keep"] = .string(keep.rawValue) }
            if let object { body["object"] = .object(try ObjectInput.json(object)) }
            let decision = body
            try await Decisions.each(ids, options, json: json) { client, id in
                _ = try await client.call(.post, "/sync/conflicts/\(id)", decision)
                return "Decided the conflict \(id)."
            }
        }
    }

    /// The conflicts, with the values of both sides of each field; resolved ones with their decisions.
    static func table(_ conflicts: [JSONObject], isResolved: Bool) -> Table {
        let rows = conflicts.map { conflict in
            let fields = conflict["fields"]?.array?.compactMap(\.string) ?? []
            func text(_ name: String) -> String { conflict[name]?.string ?? "" }
            func values(_ side: String) -> String {
                guard let object = conflict[side]?.object else { return "(deleted)" }
                return fields.map { ObjectText.text(of: object[$0]) }.joined(separator: "; ")
            }
            let ending =
                isResolved
                ? [Table.Cell(text("resolution"), .yellow), Table.Cell(text("resolvedAt"), .faint)]
                : [Table.Cell(text("foundAt"), .faint)]
            return [
                Table.Cell("\(conflict["id"]?.int ?? 0)"), Table.Cell(Decisions.object(of: conflict)),
                Table.Cell(text("kind"), .yellow), Table.Cell(fields.joined(separator: ", ")),
                Table.Cell(values("local")), Table.Cell(values("remote")),
            ] + ending
        }
        let head = ["id", "object", "kind", "fields", "here", "remote"]
        return Table(head: head + (isResolved ? ["decision", "decided"] : ["found"]), rows: rows)
    }
}
