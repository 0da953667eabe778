import GRDB
import LocalStore
import ParseModel
import Testing

@Suite("Ids of requests")
struct RequestIdTests {
    @Test func aRepeatedRequestIdIsRefusedWithinItsLifetime() async throws {
        let clock = TestClock()
        let store = try LocalStore.make(clock: clock)
        #expect(try await store.takeRequestId("a", for: .seconds(300)))
        #expect(try await !store.takeRequestId("a", for: .seconds(300)))
        #expect(try await store.takeRequestId("b", for: .seconds(10)))
        clock.advance(.seconds(20))
        #expect(try await !store.takeRequestId("a", for: .seconds(300)))
        #expect(try await store.takeRequestId("b", for: .seconds(10)))
        clock.advance(.seconds(300))
        #expect(try await store.takeRequestId("a", for: .seconds(300)))
    }

    @Test(arguments: ["a", String(repeating: "a", count: 200)])
    func releasedRequestIdCanBeUsedAgain(id: String) async throws {
        let store = try LocalStore.make()
        #expect(try await store.takeRequestId(id, for: .seconds(300)))
        try await store.releaseRequestId(id)
        #expect(try await store.takeRequestId(id, for: .seconds(300)))
        #expect(try await !store.takeRequestId(id, for: .seconds(300)))
    }

    @Test func aUsedRequestIdSurvivesARestart() async throws {
        let directory = try TemporaryDirectory()
        do {
            let store = try LocalStore.make(in: directory)
            #expect(try await store.takeRequestId("a", for: .seconds(300)))
        }
        #expect(try await !LocalStore.make(in: directory).takeRequestId("a", for: .seconds(300)))
    }

    @Test func theOldestRequestIdsAreDroppedBeyondTheBound() async throws {
        let directory = try TemporaryDirectory()
        let store = try LocalStore.make(in: directory)
        #expect(try await store.takeRequestId("a", for: .seconds(300)))
        // Simulates 99,999 later request ids.
        let file = try DatabaseQueue(path: directory.path + "/tidegate.sqlite")
        let setNumber = "UPDATE sqlite_sequence SET seq = ? WHERE name = 'request_ids'"
        try await file.writeWithoutTransaction { try $0.execute(sql: setNumber, arguments: [99_999]) }
        #expect(try await store.takeRequestId("b", for: .seconds(300)))
        #expect(try await !store.takeRequestId("a", for: .seconds(300)))
        try await file.writeWithoutTransaction { try $0.execute(sql: setNumber, arguments: [100_000]) }
        #expect(try await store.takeRequestId("c", for: .seconds(300)))
        #expect(try await !store.takeRequestId("b", for: .seconds(300)))
        #expect(try await store.takeRequestId("a", for: .seconds(300)))
    }

    @Test func longRequestIdsWithACommonBeginningAreDistinguished() async throws {
        let store = try LocalStore.make()
        let long = String(repeating: "x", count: 5000)
        #expect(try await store.takeRequestId(long + "1", for: .seconds(300)))
        #expect(try await store.takeRequestId(long + "2", for: .seconds(300)))
        #expect(try await !store.takeRequestId(long + "1", for: .seconds(300)))
    }
}
