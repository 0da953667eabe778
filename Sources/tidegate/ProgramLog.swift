import Foundation
import Gateway
import Logging
import ParseModel
import Synchronization

/// The log of the program: each line goes to standard error, and is kept for the page. The level can change while the program
/// runs.
final class ProgramLog: Sendable {
    let recent = RecentLog()
    private let level: Mutex<Logger.Level>
    private let format: GatewayConfiguration.LogFormat

    init(_ configuration: GatewayConfiguration) {
        level = Mutex(configuration.logLevel)
        format = configuration.logFormat
    }

    /// Makes this the log of the whole program. Called once.
    func start() { LoggingSystem.bootstrap { Handler(self, label: $0) } }

    func change(to level: Logger.Level) { self.level.withLock { $0 = level } }

    /// Prints the link of the owner. The link is a secret, so the log that the page shows does not keep it.
    func printOwnerLink(_ link: String) {
        switch format {
        case .text: Console.print(OwnerLinkText.text(link))
        case .json:
            var line = Self.line(level: .notice, logger: "tidegate", message: OwnerLinkText.purpose)
            line["ownerLink"] = .string(link)
            Console.printError(line.jsonText)
        }
    }

    /// `{"time":"…","level":"info","logger":"tidegate","message":"…"}`
    private static func line(level: Logger.Level, logger: String, message: String) -> JSONObject {
        [
            "time": .string(Environment.live.now().iso), "level": .string(level.rawValue), "logger": .string(logger),
            "message": .string(message),
        ]
    }

    private struct Handler: LogHandler {
        private let log: ProgramLog
        private let label: String
        private var text: StreamLogHandler
        private var kept: any LogHandler
        /// A level that one logger has set for itself.
        private var ownLevel: Logger.Level?

        init(_ log: ProgramLog, label: String) {
            (self.log, self.label) = (log, label)
            text = StreamLogHandler.standardError(label: label)
            kept = log.recent.handler(level: .trace)
        }

        var logLevel: Logger.Level {
            get { max(ownLevel ?? .trace, log.level.withLock { $0 }) }
            set { ownLevel = newValue }
        }

        var metadata: Logger.Metadata {
            get { text.metadata }
            set {
                text.metadata = newValue
                kept.metadata = newValue
            }
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { text[metadataKey: key] }
            set {
                text[metadataKey: key] = newValue
                kept[metadataKey: key] = newValue
            }
        }

        func log(event: LogEvent) {
            kept.log(event: event)
            switch log.format {
            case .text: text.log(event: event)
            case .json: Console.printError(line(of: event).jsonText)
            }
        }

        /// The line of an event, with a member for each value of the metadata.
        private func line(of event: LogEvent) -> JSONObject {
            var line = ProgramLog.line(level: event.level, logger: label, message: "\(event.message)")
            let values = metadata.merging(event.metadata ?? [:]) { $1 }
            for (key, value) in values.sorted(by: { $0.key < $1.key }) where line[key] == nil {
                line[key] = .string("\(value)")
            }
            return line
        }
    }
}
