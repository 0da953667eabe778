import Logging
import Synchronization

/// Collects the messages of logged errors.
final class LogLines: Sendable {
    private let kept = Mutex<[String]>([])

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
            guard event.level >= .error else { return }
            lines.kept.withLock { $0.append("\(event.message)") }
        }
    }
}
