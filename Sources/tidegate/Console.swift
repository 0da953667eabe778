import ArgumentParser
import Foundation
import Logging
import ParseModel

/// Output for people and programs: lines on standard output, progress and the log on standard error.
enum Console {
    static func say(_ line: String) { write(line + "\n", to: .standardOutput) }

    /// Prints an error for programs, and ends the command.
    static func sayAsJSON(_ error: any Error) throws -> Never {
        let answer: JSONObject = ["error": .string("\(error)")]
        say(answer.jsonText)
        throw ExitCode.failure
    }

    /// Why the program ends.
    static func complain(_ line: String) { write(line + "\n", to: .standardError) }

    /// Whether standard error is a terminal, so that a line may be written over.
    static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 }

    /// Replaces the line of progress; an empty text removes it.
    static func progress(_ line: String) { write("\r\u{1B}[K" + line, to: .standardError) }

    static func startLog(level: Logger.Level) {
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
    }

    /// The reader may have gone; that is no reason to stop.
    private static func write(_ text: String, to file: FileHandle) { try? file.write(contentsOf: Data(text.utf8)) }
}
