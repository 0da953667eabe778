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

        /// `{"time":"…","level":"info","logger":"tidegate","message":"…"}`, and a member for each value of the metadata.
        private func line(of event: LogEvent) -> JSONObject {
            var line: JSONObject = [
                "time": .string(Environment.live.now().iso), "level": .string(event.level.rawValue),
                "logger": .string(label), "message": .string("\(event.message)"),
            ]
            let values = metadata.merging(event.metadata ?? [:]) { $1 }
            for (key, value) in values.sorted(by: { $0.key < $1.key }) where line[key] == nil {
                line[key] = .string("\(value)")
            }
            return line
        }
    }
}
