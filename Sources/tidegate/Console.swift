import ArgumentParser
import Foundation
import ParseModel

/// Console output. Results and JSON errors go to standard output. Other errors, progress and the log go to standard error.
/// Control characters are printed as escapes, because a terminal would execute those in names, values and answers.
enum Console {
    /// Prints a text on standard output, with a line break at its end.
    static func print(_ text: String) { write(VisibleText.lines(text) + "\n", to: .standardOutput) }

    /// Prints the lines of a table on standard output.
    static func print(_ table: Table, in terminal: Terminal = .standardOutput) {
        for line in table.lines(in: terminal) { write(line + "\n", to: .standardOutput) }
    }

    /// Prints `{"error": …}` on standard output, and ends the command with the exit code of the error. An exit code is passed on,
    /// because its command has printed the errors.
    static func failAsJSON(_ error: any Error) throws -> Never {
        if let code = error as? ExitCode { throw code }
        let answer: JSONObject = ["error": .string("\(error)")]
        print(answer.jsonText)
        throw ExitCode(of: error)
    }

    /// Prints a question on standard error, without a line break.
    static func prompt(_ text: String) { write(VisibleText.lines(text), to: .standardError) }

    /// Prints an error on standard error.
    static func printError(_ line: String) { write(VisibleText.lines(line) + "\n", to: .standardError) }

    /// Whether standard error is a terminal, which can show a progress line.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// Replaces the text of the progress line. An empty text removes the line.
    static func progress(_ line: String) { write("\r\u{1B}[K" + VisibleText.line(line), to: .standardError) }

    /// Writes a text. Errors are ignored, because a closed output must not end the program.
    private static func write(_ text: String, to file: FileHandle) { try? file.write(contentsOf: Data(text.utf8)) }
}
