import ArgumentParser
import Gateway
import ParseModel

/// `tidegate role`: the roles of a standalone gateway.
struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role", abstract: "Lists, adds and removes roles of a standalone gateway, and their members.",
        discussion: OwnerOptions.explanation,
        subcommands: [List.self, Add.self, Members.self, Remove.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the roles.")
        @OptionGroup var options: OwnerOptions
        @Flag(help: "Print the roles as JSON.") var json = false

        func run() async throws {
            let names = try await options.people().roles().map(\.name)
            guard !json else {
                return Console.print((["roles": .array(names.map(JSONValue.string))] as JSONObject).jsonText)
            }
            for name in names { Console.print(name) }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a role that everybody may read and only the master key may change.")
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The role's name: letters, digits, _, - and spaces. It never changes.") var name: String

        func run() async throws {
            try await options.people().addRole(name)
            Console.print("Added the role \(name).")
        }
    }

    struct Members: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the direct members of a role. First adds and removes the given ones.")
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The role's name.") var name: String
        @Option(help: "A user to add. Repeatable.") var addUser: [String] = []
        @Option(help: "A user to remove. Repeatable.") var removeUser: [String] = []
        @Option(help: "A role whose members become members too. Repeatable.") var addRole: [String] = []
        @Option(help: "A role to remove. Repeatable.") var removeRole: [String] = []
        @Flag(help: "Print the members as JSON.") var json = false

        func run() async throws {
            let people = try await options.people()
            try await people.change(.user, addUser, of: name, adds: true)
            try await people.change(.role, addRole, of: name, adds: true)
            try await people.change(.user, removeUser, of: name, adds: false)
            try await people.change(.role, removeRole, of: name, adds: false)
            let role = try await people.role(name)
            guard !json else {
                let members: JSONObject = [
                    "name": .string(role.name), "users": .array(role.users.map(JSONValue.string)),
                    "roles": .array(role.roles.map(JSONValue.string)),
                ]
                return Console.print(members.jsonText)
            }
            for user in role.users { Console.print("user  \(user)") }
            for role in role.roles { Console.print("role  \(role)") }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a role. Its members lose the rights of the role.")
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The role's name.") var name: String

        func run() async throws {
            try await options.people().removeRole(name)
            Console.print("Removed the role \(name).")
        }
    }
}
