import HTTPServer
import Logging
import Synchronization

/// Replaces the specific text of each denial in answers, and logs it. The specific texts tell which classes, fields and
/// objects exist.
struct Denials: Sendable {
    /// The text that replaces the specific text of each denial; nil to show the specific texts.
    private let text: String?
    private let details: APIConfiguration.DenialDetails
    private let log: DenialLog

    init(_ configuration: APIConfiguration, logger: Logger, uptime: @escaping @Sendable () -> Duration) {
        text = configuration.dialect.denialText
        details = configuration.denialDetails
        log = DenialLog(logger: logger, uptime: uptime)
    }

    /// The answer to a request as its client may see it.
    func shown(_ answer: ErrorAnswer, to request: HTTPServerRequest) -> ErrorAnswer {
        guard answer.isDenial, let text else { return answer }
        log.note(answer, request)
        let showsDetail = details == .shownOnThisMachine && request.peer.isLoopback
        return answer.generalized(to: showsDetail ? answer.text : text)
    }
}

/// Logs the specific texts of denials, a bounded number a minute, so that a client cannot fill the log.
final class DenialLog: Sendable {
    private let logger: Logger
    private let uptime: @Sendable () -> Duration
    private let minute = Mutex((start: Duration?.none, lines: 0))
    private static let linesOfMinuteMax = 20

    init(logger: Logger, uptime: @escaping @Sendable () -> Duration) {
        (self.logger, self.uptime) = (logger, uptime)
    }

    func note(_ answer: ErrorAnswer, _ request: HTTPServerRequest) {
        let lines = count()
        guard lines <= Self.linesOfMinuteMax else { return }
        logger.info(
            "request denied",
            metadata: ["method": "\(request.method)", "path": "\(request.path)", "reason": "\(answer.text)"])
        if lines == Self.linesOfMinuteMax { logger.info("further denials of this minute are not logged") }
    }

    /// Counts a denial.
    /// - Returns: the number of denials of this minute.
    private func count() -> Int {
        let now = uptime()
        return minute.withLock { minute in
            if minute.start.map({ now - $0 >= .seconds(60) }) != false { minute = (now, 0) }
            minute.lines += 1
            return minute.lines
        }
    }
}
