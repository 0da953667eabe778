import ParseModel
import Testing

@testable import SyncEngine

@Suite("The remote's clock")
struct ServerClockTests {
    private static func noted(_ milliseconds: Int64, asked: Int, answered: Int) -> ServerClock {
        var clock = ServerClock()
        clock.note(
            ParseDate(milliseconds: milliseconds), asked: .milliseconds(asked), answered: .milliseconds(answered))
        return clock
    }

    @Test func theServersTimeIsUnknownBeforeItsFirstAnswer() {
        #expect(ServerClock().earliest(uptime: .seconds(5)) == nil)
        #expect(ServerClock().latest(uptime: .seconds(5)) == nil)
    }

    @Test func theServersTimeAdvancesWithTheLocalUptime() {
        let clock = Self.noted(100_000, asked: 5000, answered: 5000)
        #expect(clock.earliest(uptime: .seconds(5)) == ParseDate(milliseconds: 100_000))
        #expect(clock.earliest(uptime: .milliseconds(6_250)) == ParseDate(milliseconds: 101_250))
    }

    /// The answer may have been written at any time during the request, and its time has whole seconds.
    @Test func aSlowAnswerWidensTheRangeOfTheServersTime() {
        let clock = Self.noted(100_000, asked: 5000, answered: 35_000)
        #expect(clock.earliest(uptime: .seconds(36)) == ParseDate(milliseconds: 101_000))
        #expect(clock.latest(uptime: .seconds(36)) == ParseDate(milliseconds: 132_000))
    }

    @Test func theLastAnswerDeterminesTheServersTime() {
        var clock = Self.noted(100_000, asked: 5000, answered: 5000)
        // The server's clock was set back between the two answers.
        clock.note(ParseDate(milliseconds: 40_000), asked: .seconds(15), answered: .seconds(15))
        #expect(clock.earliest(uptime: .seconds(16)) == ParseDate(milliseconds: 41_000))
    }
}
