import ParseModel
import Testing

@Suite("Progress of the first pull")
struct PullProgressTests {
    /// The remote counts the objects only with the first and the last page. The progress must contain the total on
    /// each page.
    @Test func theProgressOfAPullContainsTheTotalOnEachPage() async throws {
        let world = try await World.make(
            isOffline: true, pageSize: 10,
            pageWrites: .init(commitsOfPagesMin: 1000, rowsUsual: 10, rowsBesideOthers: 10))
        for n in 0..<45 { try await world.hub.store.create("Holiday", ["n": .int(n)]) }
        world.clock.advance(.seconds(60))
        world.transport.heal()
        let gate = world.transport.close(after: 3)
        async let outcome = world.replica.sync()
        await gate.untilReached()
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        let progress = try #require(status["progress"]?.object)
        #expect(progress["phase"] == "pull")
        #expect(try #require(progress["done"]?.int) >= 20)
        #expect(progress["total"] == 45)
        gate.open()
        _ = try await outcome
        #expect(try await world.replica.store.figures().classes.first?.objects == 45)
    }
}
