import ParseModel
import Testing

@testable import SyncEngine

@Suite("The remote's clock")
struct ServerClockTests {
    @Test func timeIsUnknownUntilItIsTold() {
        #expect(ServerClock().now(uptime: .seconds(5)) == nil)
    }

    @Test func timeGoesOnWithOurUptime() {
        var clock = ServerClock()
        clock.note(ParseDate(milliseconds: 100_000), uptime: .seconds(5))
        #expect(clock.now(uptime: .seconds(5)) == ParseDate(milliseconds: 100_000))
        #expect(clock.now(uptime: .milliseconds(6_250)) == ParseDate(milliseconds: 101_250))
    }

    @Test func lastAnswerCounts() {
        var clock = ServerClock()
        clock.note(ParseDate(milliseconds: 100_000), uptime: .seconds(5))
        // The server's clock was set back meanwhile.
        clock.note(ParseDate(milliseconds: 40_000), uptime: .seconds(15))
        #expect(clock.now(uptime: .seconds(16)) == ParseDate(milliseconds: 41_000))
    }
}
