import Logging
import Synchronization

/// A log that collects the messages of errors, or of entries from a given level on with their metadata.
final class LogLines: Sendable {
    private let kept = Mutex<[String]>([])
    private let least: Logger.Level

    init(from least: Logger.Level = .error) { self.least = least }

    var lines: [String] { kept.withLock { $0 } }

    var logger: Logger { Logger(label: "test", factory: { [self] _ in Handler(lines: self) }) }

    private struct Handler: LogHandler {
        let lines: LogLines
        var logLevel = Logger.Level.debug
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            guard event.level >= lines.least else { return }
            let details = lines.least == .error ? "" : " \(event.metadata ?? [:])"
            lines.kept.withLock { $0.append("\(event.message)\(details)") }
        }
    }
}
