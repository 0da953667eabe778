import ArgumentParser
import Foundation
import Gateway
import Logging
import ParseModel

/// Console output. Results and JSON errors go to standard output. Other errors, progress and the log go to standard error.
enum Console {
    /// Prints a line on standard output.
    static func print(_ line: String) { write(line + "\n", to: .standardOutput) }

    /// Prints `{"error": …}` on standard output, and ends the command with exit code 1.
    static func failAsJSON(_ error: any Error) throws -> Never {
        let answer: JSONObject = ["error": .string("\(error)")]
        print(answer.jsonText)
        throw ExitCode.failure
    }

    /// Prints a question on standard error, without a line break.
    static func prompt(_ text: String) { write(text, to: .standardError) }

    /// Prints an error on standard error.
    static func printError(_ line: String) { write(line + "\n", to: .standardError) }

    /// Whether standard error is a terminal, which can show a progress line.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// Replaces the text of the progress line. An empty text removes the line.
    static func progress(_ line: String) { write("\r\u{1B}[K" + line, to: .standardError) }

    /// Makes the log go to standard error.
    /// - Parameters:
    ///   - level: the lowest level that is logged.
    ///   - recent: keeps the latest lines.
    static func startLog(level: Logger.Level, keptIn recent: RecentLog) {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return MultiplexLogHandler([handler, recent.handler(level: level)])
        }
    }

    /// Writes a text. Errors are ignored, because a closed output must not end the program.
    private static func write(_ text: String, to file: FileHandle) { try? file.write(contentsOf: Data(text.utf8)) }
}
