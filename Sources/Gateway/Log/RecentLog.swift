import GatewayAPI
import Logging
import ParseModel
import Synchronization

/// The latest lines of the program's log, in memory.
package final class RecentLog: Sendable {
    private static let countMax = 1000
    /// The maximum length of a line in characters. The rest of a longer line is left out.
    private static let lengthMax = 2000

    private let now: @Sendable () -> ParseDate
    private let kept = Mutex<(lines: [LogLine], count: Int)>(([], 0))

    package init(now: @escaping @Sendable () -> ParseDate = Environment.live.now) { self.now = now }

    /// The kept lines that have a number above `number`, oldest first.
    func lines(after number: Int) -> [LogLine] { kept.withLock { $0.lines.filter { $0.number > number } } }

    fileprivate func add(_ level: Logger.Level, _ message: String) {
        let at = now()
        kept.withLock { kept in
            kept.count += 1
            kept.lines.append(
                LogLine(
                    number: kept.count, at: at, level: level.rawValue, message: String(message.prefix(Self.lengthMax))))
            // Removes several lines at once, because a removal moves all that remain.
            if kept.lines.count >= Self.countMax + Self.countMax / 4 { kept.lines.removeFirst(Self.countMax / 4) }
        }
    }

    /// A handler that adds the lines of a logger.
    /// - Parameter level: the lowest level that is kept.
    package func handler(level: Logger.Level) -> any LogHandler { Handler(log: self, logLevel: level) }

    private struct Handler: LogHandler {
        let log: RecentLog
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        init(log: RecentLog, logLevel: Logger.Level) {
            self.log = log
            self.logLevel = logLevel
        }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let values = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
            let text = ["\(event.message)"] + values.map { "\($0.key)=\($0.value)" }
            log.add(event.level, text.joined(separator: " "))
        }
    }
}
