import LocalStore
import ParseModel
import StoreService
import SyncEngine
import Testing

/// Tests that the summary of a sync counts each sent request.
@Suite("Request count of a sync")
struct RequestCountTests {
    @Test func requestCountInASyncSummaryEqualsTheSentRequests() async throws {
        let world = try await World.make(classes: ["Holiday", "Country"], pageMax: 3)
        let norway = try await world.hub.store.create("Country", ["name": "Norway"])
        let members: JSONValue = [
            "__op": "AddRelation", "objects": [Pointer(className: "Country", objectId: norway).json],
        ]
        var ids: [String] = []
        for n in 0..<20 {
            ids.append(try await world.hub.store.create("Holiday", ["n": .int(n), "countries": members]))
        }
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        for id in ids.prefix(8) { try await world.hub.store.delete("Holiday", id) }
        for id in ids.suffix(8) { try await world.replica.store.update("Holiday", id, ["name": "x"]) }
        for n in 0..<4 { try await world.replica.store.create("Holiday", ["n": .int(n)]) }
        _ = world.transport.takeSent()
        let summary = try await world.replica.sync()
        #expect(summary.pushed == 12)
        #expect(summary.requests == world.transport.takeSent().count)
        world.clock.advance(.seconds(60))
        try await world.replica.store.update("Holiday", ids[19], ["name": "alone"])
        let next = try await world.replica.sync()
        #expect(next.pushed == 1)
        #expect(next.requests == world.transport.takeSent().count)
    }
}
