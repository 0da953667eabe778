import ArgumentParser
import ParseModel

/// `tidegate get`: prints one object.
struct GetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Shows an object.", discussion: ConnectionOptions.explanation)

    @Argument(help: ArgumentHelp("The object: its class and its id.", valueName: "class/id")) var object: ObjectName
    @Option(help: ArgumentHelp("The fields to show, separated by commas. Default: all.", valueName: "names"))
    var fields: String?
    @Flag(help: "Also show the sync state.") var sync = false
    @Flag(help: "Print the object as JSON, or {\"error\": …}.") var json = false
    @OptionGroup var options: ConnectionOptions

    func run() async throws {
        do {
            let parameters = [fields.map { "keys=" + PercentCoding.encoded($0) }, sync ? "_sync=true" : nil]
            let query = parameters.compactMap(\.self).joined(separator: "&")
            let client = try await options.client()
            let found = try await object.call { try await client.call(.get, $0 + (query.isEmpty ? "" : "?" + query)) }
            if json { Console.print(found.jsonText) } else { Console.print(ObjectText.table(of: found)) }
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }
}
