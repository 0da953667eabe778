import Testing

@testable import HTTPServer

@Suite struct ConnectionRulesTests {
    private let rules = ConnectionRules(idleTimeout: .seconds(30))

    private func state(_ phase: ConnectionState.Phase, _ seconds: Int, bytes: Int = 0) -> ConnectionState {
        ConnectionState(phase: phase, age: .seconds(seconds), bytes: bytes)
    }

    @Test func aRequestHeadMustBeCompleteWithinTheIdleTimeout() {
        #expect(!rules.isOverdue(state(.waiting, 30)))
        #expect(rules.isOverdue(state(.waiting, 31)))
    }

    @Test(arguments: [ConnectionState.Phase.receiving, .sending])
    func timeLimitOfBodiesAndResponsesGrowsWithTheirSize(_ phase: ConnectionState.Phase) {
        #expect(!rules.isOverdue(state(phase, 30)))
        #expect(rules.isOverdue(state(phase, 31)))
        #expect(!rules.isOverdue(state(phase, 93, bytes: 1 << 20)))
        #expect(rules.isOverdue(state(phase, 95, bytes: 1 << 20)))
    }

    @Test func handlersAndStreamsHaveNoTimeLimit() {
        #expect(!rules.isOverdue(state(.working, 100_000)))
        #expect(!rules.isOverdue(state(.streaming, 100_000)))
        #expect(rules.rank(state(.working, 100_000)) == nil)
        #expect(rules.rank(state(.streaming, 100_000)) == nil)
    }

    @Test func connectionWhoseFirstRequestIsUnreadIsClosedAtTheIdleTimeoutOnly() {
        #expect(rules.rank(state(.starting, 30)) == nil)
        #expect(!rules.isOverdue(state(.starting, 30)))
        #expect(rules.isOverdue(state(.starting, 31)))
    }

    @Test func idleConnectionsAreClosedFirstAtTheConnectionLimit() throws {
        let waiting = try #require(rules.rank(state(.waiting, 0)))
        let receiving = try #require(rules.rank(state(.receiving, 2)))
        let sending = try #require(rules.rank(state(.sending, 3)))
        #expect(waiting < receiving && receiving < sending)
        #expect(rules.rank(state(.receiving, 1)) == nil)
        #expect(rules.rank(state(.sending, 2)) == nil)
    }
}
