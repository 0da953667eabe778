import Logging
import Synchronization

/// A log that keeps its entries from the level `info` on, as `level: message`.
final class KeptLog: Sendable {
    private let kept = Mutex<[String]>([])

    var lines: [String] { kept.withLock { $0 } }
    var logger: Logger { Logger(label: "test", factory: { [self] _ in Handler(log: self) }) }

    private struct Handler: LogHandler {
        let log: KeptLog
        var logLevel = Logger.Level.info
        var metadata = Logger.Metadata()

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { log.kept.withLock { $0.append("\(event.level): \(event.message)") } }
    }
}
