import ArgumentParser
import Gateway
import ParseModel

/// `tidegate user`: the users of a standalone gateway, and the data of users in a replica.
struct UserCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract:
            "Lists, adds, locks and removes users of a standalone gateway, and removes the data of a replica's users.",
        discussion: OwnerOptions.explanation,
        subcommands: [List.self, Add.self, Password.self, Lock.self, Unlock.self, Remove.self, Forget.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the users.")
        @OptionGroup var options: OwnerOptions
        @Flag(help: "Print the users as JSON.") var json = false

        func run() async throws {
            let users = try await options.people().users()
            guard !json else {
                let list = users.map { user -> JSONValue in
                    [
                        "objectId": .string(user.objectId), "username": .string(user.name),
                        "email": user.email.map(JSONValue.string) ?? .null, "locked": .bool(user.isLocked),
                    ]
                }
                return Console.print((["users": .array(list)] as JSONObject).jsonText)
            }
            for user in users {
                let notes = [user.email, user.isLocked ? "locked" : nil].compactMap(\.self)
                Console.print(([user.name] + notes).joined(separator: "  "))
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Adds a user. Asks for the password, or reads it from standard input.")
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The user's name.") var name: String
        @Option(help: "The user's email address.") var email: String?

        func run() async throws {
            let people = try await options.people()
            try await people.addUser(name, password: try PasswordPrompt.read(), email: email)
            Console.print("Added the user \(name).")
        }
    }

    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "passwd", abstract: "Sets a user's password, and ends the user's sessions.")
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The user's name.") var name: String

        func run() async throws {
            let people = try await options.people()
            try await people.setPassword(of: name, to: try PasswordPrompt.read())
            Console.print("Set the password of \(name).")
        }
    }

    struct Lock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Locks a user out: nobody can log in as the user, and the user's sessions end.")
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The user's name.") var name: String

        func run() async throws {
            let replaced = try await options.people().lock(name)
            Console.print("Locked \(name).")
            if let replaced {
                Console.print("'unlock' will not restore the ACL that the user had: \(replaced.jsonText)")
            }
        }
    }

    struct Unlock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets a locked user log in again.")
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The user's name.") var name: String

        func run() async throws {
            try await options.people().unlock(name)
            Console.print("Unlocked \(name).")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a user. Objects and roles that name the user stay.")
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The user's name.") var name: String

        func run() async throws {
            try await options.people().removeUser(name)
            Console.print("Removed the user \(name).")
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes the data, the sessions and the offline log-in of a user from a replica.",
            discussion: """
                The user and the data on the remote stay. Refused while changes, conflicts or removals of the user wait, or files are \
                not on the remote, unless they are exported with --export: one line of JSON for each. In a \
                site, the objects stay, and the exported changes are dropped.
                """)
        @OptionGroup var options: OwnerOptions
        @Argument(help: "The user's id, or the name.") var user: String
        @Option(help: ArgumentHelp("A new file for what waits.", valueName: "path")) var export: String?

        func run() async throws {
            let (known, entries) = try await options.userData().forget(user, exportingTo: export)
            if let export { Console.print("Wrote \(entries.counted("line")) to \(export).") }
            Console.print("Removed the data of \(known.name ?? "a user") (\(known.objectId)) from this machine.")
        }
    }
}
