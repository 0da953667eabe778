import ArgumentParser
import Gateway
import ParseModel

/// `tidegate put`: creates or updates an object.
struct PutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "put", abstract: "Creates an object, or changes fields of one.",
        discussion: """
            With a class alone, creates an object. With a class and an id, changes the given fields of the object; the others \
            stay. The object is a JSON object, - for standard input, @file for a file, or fields:
              tidegate put Task name='Buy bread' done:=false
              tidegate put Task/xO5TCC3Ntj done:=true
            name=text sets a text, and name:=json any other value.

            \(ConnectionOptions.explanation)
            """)

    @Argument(help: ArgumentHelp("The class, or the object to change.", valueName: "class[/id]")) var target: String
    @Argument(help: ArgumentHelp("The object: JSON, -, @file, or fields.", valueName: "object")) var object: [String]
    @Flag(help: "Print the gateway's answer as JSON, or {\"error\": …}.") var json = false
    @OptionGroup var options: ConnectionOptions

    func validate() throws {
        if target.isEmpty || target.contains("/") && ObjectName(argument: target) == nil {
            throw ValidationError("'\(target)' is neither a class nor an object: write Class or Class/id")
        }
        // Fields in the arguments are checked before anything is read or sent.
        guard let first = object.first, first != "-", !first.hasPrefix("@") else { return }
        do { _ = try ObjectInput.object(object) } catch { throw ValidationError(error.description) }
    }

    func run() async throws {
        do {
            let fields = try ObjectInput.object(object)
            let client = try await options.client()
            if let name = ObjectName(argument: target) {
                let answer = try await name.call(wayOut: ". To create an object, leave out the id") {
                    try await client.call(.put, $0, fields)
                }
                Console.print(json ? answer.jsonText : "Updated \(name.text)")
            } else {
                let answer = try await client.call(.post, ObjectName.path(of: target), fields)
                Console.print(
                    json ? answer.jsonText : "Created \(target)/\(answer["objectId"]?.string ?? "")")
            }
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }
}
