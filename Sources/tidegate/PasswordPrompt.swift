import Foundation
import Gateway

/// Reads a password, from the terminal without showing it, or from standard input.
enum PasswordPrompt {
    private static let bytesMax = 4096

    /// - Throws: `ConfigurationError` if there is no password, or if the two entries on the terminal differ.
    static func read() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try checked(readLine(strippingNewline: true)) }
        let password = try checked(hidden("Password: "))
        guard hidden("Password again: ") == password else { throw ConfigurationError("the two passwords differ") }
        return password
    }

    private static func checked(_ text: String?) throws -> String {
        guard let text, !text.isEmpty else { throw ConfigurationError("a password is required") }
        guard text.utf8.count <= bytesMax else {
            throw ConfigurationError("the password is longer than \(bytesMax) bytes")
        }
        return text
    }

    /// Reads a line from the terminal while the terminal does not show what is typed.
    private static func hidden(_ prompt: String) -> String? {
        Console.prompt(prompt)
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        var silent = settings
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
            Console.printError("")
        }
        return readLine(strippingNewline: true)
    }
}
