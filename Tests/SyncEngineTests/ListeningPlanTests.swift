import RemoteService
import SyncModel
import Testing

@testable import SyncEngine

@Suite("Decisions about connections for reports of the remote")
struct ListeningPlanTests {
    private static let holidays = [PullQuery(className: "Holiday")]
    private static let both = holidays + [PullQuery(className: "Birthday")]
    /// The largest random draw: each delay is as long as its bound.
    private static let longest: UInt64 = 999

    private var plan = ListeningPlan()

    private mutating func take(_ event: ListeningPlan.Event, at seconds: Int = 0) -> [ListeningPlan.Action] {
        plan.take(event, at: .seconds(seconds), random: Self.longest)
    }

    private mutating func want(_ queries: [PullQuery], isCurrent: Bool = true) -> [ListeningPlan.Action] {
        take(.wanted(queries, isCurrent: isCurrent))
    }

    /// Brings the plan into the state in which the remote reports changes of `Holiday`.
    private mutating func listen(at seconds: Int = 0) {
        _ = want(Self.holidays)
        _ = take(.connected, at: seconds)
        _ = take(.listening(refused: []), at: seconds)
    }

    @Test mutating func aConnectionIsOpenedForQueriesAndASyncFollowsTheirAnswer() {
        #expect(plan.state == .off)
        #expect(want([]) == [] && plan.state == .off)
        #expect(want(Self.holidays) == [.connect] && plan.state == .connecting)
        #expect(want(Self.both) == [])
        #expect(take(.connected) == [.listen(Self.both)] && plan.state == .connecting)
        #expect(take(.listening(refused: [])) == [.sync] && plan.state == .listening)
    }

    @Test mutating func otherQueriesReplaceTheListenedOnesAndEqualOnesChangeNothing() {
        listen()
        #expect(want(Self.holidays) == [])
        #expect(want(Self.both) == [.listen(Self.both)] && plan.state == .listening)
        #expect(take(.listening(refused: ["Birthday"])) == [.sync])
        #expect(plan.state == .listening && plan.refused == ["Birthday"])
    }

    @Test mutating func noQueriesEndTheConnection() {
        listen()
        #expect(want([]) == [.close] && plan.state == .off)
        #expect(want(Self.holidays) == [.connect])
        #expect(want([]) == [.close] && plan.state == .off)
    }

    @Test mutating func anotherSessionReplacesTheConnection() {
        listen()
        #expect(want(Self.holidays, isCurrent: false) == [.close, .connect] && plan.state == .connecting)
        #expect(take(.connected) == [.listen(Self.holidays)])
    }

    @Test mutating func withoutASessionTheNextQueriesOpenTheConnection() {
        _ = want(Self.holidays)
        #expect(take(.failed(.noSession)) == [] && plan.state == .off)
        #expect(want(Self.holidays) == [.connect])
    }

    @Test mutating func failedAttemptsAreRepeatedAfterGrowingDelays() {
        _ = want(Self.holidays)
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600] {
            #expect(take(.failed(.failed(reason: "no route"))) == [.wait(.seconds(seconds))])
            #expect(plan.state == .connecting)
            #expect(want(Self.holidays) == [])
            #expect(take(.delayOver) == [.connect])
        }
    }

    @Test mutating func aServerWithoutReportsIsShownAsSuchUntilItAnswers() {
        _ = want(Self.holidays)
        #expect(take(.failed(.notOffered(reason: "404"))) == [.wait(.seconds(1))] && plan.state == .notOffered)
        #expect(take(.delayOver) == [.connect] && plan.state == .notOffered)
        #expect(take(.connected) == [.listen(Self.holidays)] && plan.state == .notOffered)
        #expect(take(.listening(refused: [])) == [.sync] && plan.state == .listening)
    }

    @Test mutating func aServerThatRefusesAllClassesOffersNoReports() {
        _ = want(Self.holidays)
        _ = take(.connected)
        #expect(take(.listening(refused: ["Holiday"])) == [.close, .wait(.seconds(1))])
        #expect(plan.state == .notOffered && plan.refused == [])
        #expect(take(.delayOver) == [.connect])
    }

    @Test mutating func theEndOfAConnectionThatHasWorkedCausesASync() {
        listen()
        #expect(take(.ended, at: 10) == [.sync, .wait(.seconds(1))] && plan.state == .connecting)
        #expect(take(.delayOver, at: 11) == [.connect])
        _ = take(.connected, at: 11)
        // The connection has not worked.
        #expect(take(.ended, at: 11) == [.wait(.seconds(2))])
    }

    @Test mutating func delaysGrowWhileConnectionsEndSoonAndBeginAnewAfterAStableOne() {
        var now = 0
        for seconds in [1, 2, 4, 8] {
            listen(at: now)
            #expect(take(.ended, at: now + 59) == [.sync, .wait(.seconds(seconds))])
            #expect(take(.delayOver) == [.connect])
            now += 100
        }
        listen(at: now)
        #expect(take(.ended, at: now + 60) == [.sync, .wait(.seconds(1))])
    }

    @Test mutating func lateEventsChangeNothing() {
        let events: [ListeningPlan.Event] = [
            .connected, .ended, .delayOver, .listening(refused: []), .failed(.noSession),
        ]
        for event in events {
            #expect(take(event) == [] && plan.state == .off)
        }
    }
}

@Suite("Pace of the syncs that reports cause")
struct SignalPaceTests {
    private var pace = SignalPace()

    @Test mutating func theFirstReportIsFollowedSoon() {
        #expect(pace.noteReport(at: .seconds(9)) == .milliseconds(100))
    }

    @Test(arguments: [
        // The sync's duration in milliseconds, the time of the report after its beginning, and the delay.
        (10, 10, 490), (10, 450, 100), (10, 10_000, 100), (2000, 2000, 2000), (2000, 3000, 1000),
        (60_000, 60_000, 5000),
    ])
    mutating func aSyncIsFollowedByAPause(duration: Int, report: Int, delay: Int) {
        pace.noteBeginning(at: .seconds(1))
        #expect(pace.noteEnd(at: .seconds(1) + .milliseconds(duration)) == nil)
        #expect(pace.noteReport(at: .seconds(1) + .milliseconds(report)) == .milliseconds(delay))
    }

    @Test(arguments: [(0, 500), (10, 490), (2000, 2000), (60_000, 5000)])
    mutating func reportsDuringASyncAreFollowedAfterThePause(duration: Int, delay: Int) {
        pace.noteBeginning(at: .seconds(1))
        for _ in 0..<2 { #expect(pace.noteReport(at: .seconds(1)) == nil) }
        #expect(pace.noteEnd(at: .seconds(1) + .milliseconds(duration)) == .milliseconds(delay))
        pace.noteBeginning(at: .seconds(99))
        #expect(pace.noteEnd(at: .seconds(99)) == nil)
    }
}
