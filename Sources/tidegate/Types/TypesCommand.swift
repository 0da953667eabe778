import ArgumentParser
import Gateway
import ParseModel

/// `tidegate types`: prints types of the classes in a programming language.
struct TypesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "Prints types of the classes for programs.",
        discussion: """
            The types have the form of the REST API. Their source is the schema of the gateway, which needs the master key. A \
            replica asks its remote. If the remote refuses, --from-objects reads the types of the fields from the newest \
            objects of each class instead. All fields are then optional.

            \(ConnectionOptions.explanation)
            """)

    enum Language: String, ExpressibleByArgument, CaseIterable {
        case typescript, swift, python
        case jsonSchema = "json-schema"
    }

    @Argument(help: ArgumentHelp("The classes. Default: all.", valueName: "class")) var classes: [String] = []
    @Option(help: "The language of the types.") var lang: Language
    @Flag(help: "Read the types of the fields from objects.") var fromObjects = false
    @Flag(help: "Print an error as {\"error\": …}.") var json = false
    @OptionGroup var options: ConnectionOptions

    func run() async throws {
        do {
            let types = try await types(options.client())
            switch lang {
            case .typescript: Console.print(TypeScriptTypes.text(types))
            case .swift: Console.print(SwiftTypes.text(types))
            case .python: Console.print(PythonTypes.text(types))
            case .jsonSchema: Console.print(JSONSchemaTypes.text(types))
            }
        } catch let error where json {
            try Console.failAsJSON(error)
        }
    }

    /// The chosen classes, in the order of their names.
    private func types(_ client: GatewayClient) async throws -> [TypedClass] {
        let found = fromObjects ? try await typesOfObjects(client) : try await schemas(client)
        for name in classes where !found.contains(where: { $0.name == name }) {
            throw ConfigurationError("there is no class \(name)")
        }
        return found.filter { classes.isEmpty || classes.contains($0.name) }.sorted { $0.name < $1.name }
    }

    private func schemas(_ client: GatewayClient) async throws -> [TypedClass] {
        let answer: JSONObject
        do {
            answer = try await client.call(.get, "/schemas")
        } catch let error {
            guard case .refused(let status, let code, let message) = error else { throw error }
            let other = "or read the types from objects with --from-objects"
            guard status >= 500 else {
                throw ConfigurationError(
                    "the schema cannot be read (\(message)): give the master key (for a replica, that of its remote), \(other)"
                )
            }
            throw GatewayClientError.refused(
                status: status, code: code, message: "the schema cannot be read (\(message)): try again later, \(other)"
            )
        }
        return (answer["results"]?.array ?? []).compactMap(\.object).compactMap { TypedClass(schema: $0) }
    }

    private func typesOfObjects(_ client: GatewayClient) async throws -> [TypedClass] {
        let known = (try await client.status()["classes"]?.array ?? []).compactMap { $0.object?["name"]?.string }
        var types: [TypedClass] = []
        for name in classes.isEmpty ? known : classes {
            var pages = ObjectPages(client: client, className: name)
            pages.order = "-updatedAt"
            var objects: [JSONObject] = []
            try await pages.each(upTo: Self.objectsMax) { objects += $0 }
            if known.contains(name) || !objects.isEmpty { types.append(TypedClass(name, of: objects)) }
        }
        return types
    }

    /// The number of objects of a class whose fields are read.
    private static let objectsMax = 1000
}
