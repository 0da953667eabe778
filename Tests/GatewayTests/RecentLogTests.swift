import GatewayAPI
import Logging
import ParseModel
import Testing

@testable import Gateway

/// The lines of the log that the program keeps in memory.
@Suite struct RecentLogTests {
    private let log = RecentLog(now: { ParseDate(milliseconds: 5) })

    private func logger(_ level: Logger.Level) -> Logger {
        Logger(label: "test") { [log] _ in log.handler(level: level) }
    }

    @Test func lineHasItsMetadataSortedByName() {
        logger(.info).warning("refused", metadata: ["status": "403", "class": "Holiday"])
        #expect(
            log.lines(after: 0) == [
                LogLine(
                    number: 1, at: ParseDate(milliseconds: 5), level: "warning",
                    message: "refused class=Holiday status=403")
            ])
    }

    @Test func linesBelowTheLevelAreNotKept() {
        logger(.notice).info("opened")
        #expect(log.lines(after: 0).isEmpty)
    }

    @Test func oldestLinesAreDroppedAndNumbersGoOn() {
        let logger = logger(.info)
        for number in 1...3000 { logger.info("line \(number)") }
        let kept = log.lines(after: 0)
        #expect((1000..<1250).contains(kept.count))
        #expect(kept.last?.number == 3000 && kept.last?.message == "line 3000")
        #expect(log.lines(after: 2999).count == 1)
    }

    @Test func longLineIsCut() {
        logger(.info).info("\(String(repeating: "x", count: 100_000))")
        #expect(log.lines(after: 0).first?.message.count == 2000)
    }
}
