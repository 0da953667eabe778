import ArgumentParser
import ParseModel

/// `tidegate delete`: deletes objects.
struct DeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Deletes objects.",
        discussion: """
            Objects after one that cannot be deleted are deleted too. The exit code is then that of the first error.

            \(ConnectionOptions.explanation)
            """)

    @Argument(help: ArgumentHelp("The objects.", valueName: "class/id")) var objects: [ObjectName]
    @Flag(help: "Print a line of JSON for each object: its class, its id, and the error if it has one.") var json =
        false
    @OptionGroup var options: ConnectionOptions

    func run() async throws {
        do {
            let client = try await options.client()
            try await EachOf.run(objects, json: json) { object in
                _ = try await object.call { try await client.call(.delete, $0) }
                return "Deleted \(object.text)"
            } name: { object in
                ("", ["className": .string(object.className), "objectId": .string(object.objectId)])
            }
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }
}

/// Does the same with several things, and goes on after an error.
enum EachOf {
    /// - Parameters:
    ///   - action: acts on one thing, and returns the line about it.
    ///   - name: the beginning of the line about an error, and the members of the JSON line.
    /// - Throws: the exit code of the first error, after all things.
    static func run<Thing>(
        _ things: [Thing], json: Bool, _ action: (Thing) async throws -> String,
        name: (Thing) -> (text: String, members: JSONObject)
    ) async throws {
        var failure: ExitCode?
        for thing in things {
            var (text, members) = name(thing)
            do {
                let line = try await action(thing)
                Console.print(json ? members.jsonText : line)
            } catch {
                members["error"] = .string("\(error)")
                if json { Console.print(members.jsonText) } else { Console.printError("Error: \(text)\(error)") }
                failure = failure ?? ExitCode(of: error)
            }
        }
        if let failure { throw failure }
    }
}
