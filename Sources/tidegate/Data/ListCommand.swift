import ArgumentParser
import Gateway
import ParseModel

/// `tidegate list`: prints the objects of a class.
struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the objects of a class.",
        discussion: """
            On a terminal, the table has the width of the terminal. Elsewhere nothing is cut. With --json, each object is \
            one line. A list of more than 1,000 objects without --order is sorted by the ids.

            \(ConnectionOptions.explanation)
            """)

    @Argument(help: ArgumentHelp("The class.", valueName: "class")) var className: String
    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "The condition as Parse's JSON, or as name=text or name:=json. Repeatable: all conditions must hold.",
            valueName: "condition"))
    var conditions: [String] = []
    @Option(
        help: ArgumentHelp(
            "The fields to sort by, separated by commas. A minus sorts downwards: --order=-due,name.",
            valueName: "names"))
    var order: String?
    @Option(help: ArgumentHelp("The maximum number of objects. Default: 100.", valueName: "count")) var limit: Int?
    @Option(help: ArgumentHelp("The fields to show, separated by commas. Default: all.", valueName: "names"))
    var fields: String?
    @Flag(help: "List all objects.") var all = false
    @Flag(help: "Also show the sync state of each object.") var sync = false
    @Flag(help: "Print each object as a line of JSON, or {\"error\": …}.") var json = false
    @OptionGroup var options: ConnectionOptions

    func validate() throws {
        if all, limit != nil { throw ValidationError("--all and --limit name two numbers: leave one out") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1") }
        if className.contains("/") || className.isEmpty {
            throw ValidationError("'\(className)' is not a class: to show one object, use tidegate get")
        }
        do { _ = try filter() } catch { throw ValidationError("--where: \(error)") }
    }

    func run() async throws {
        do {
            try await list()
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    private func list() async throws {
        let names = fields?.split(separator: ",").map(String.init)
        let pages = ObjectPages(
            client: try await options.client(), className: className, filter: try filter(), order: order, fields: names,
            showsSyncState: sync)
        var head: [String]?
        var isEmpty = true
        try await pages.each(upTo: all ? nil : limit ?? 100) { page in
            isEmpty = false
            if json {
                for object in page { Console.print(object.jsonText) }
            } else {
                // A later page has a head only if its objects have other fields.
                var table = ObjectText.table(of: page, fields: names)
                if let head, head != table.head { Console.print("") }
                table.showsHead = table.head != head
                head = table.head
                Console.print(table)
            }
        }
        if isEmpty, !json { Console.printError("No objects.") }
    }

    private func filter() throws(ConfigurationError) -> JSONObject {
        var filters: [JSONObject] = []
        for condition in conditions {
            if condition.hasPrefix("{") {
                filters.append(try ObjectInput.json(condition))
            } else {
                let (name, value) = try ObjectInput.field(condition)
                filters.append([name: value])
            }
        }
        return filters.count > 1 ? ["$and": .array(filters.map(JSONValue.object))] : filters.first ?? [:]
    }
}
