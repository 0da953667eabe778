import Foundation
import ParseModel
import Testing

/// Live queries of the users of a personal replica and of a site replica, with real processes and sockets.
@Suite("Live queries of users", .serialized)
struct LivePeopleTests {
    private func open(_ world: PeopleWorld, _ text: String, by user: (id: String, token: String)) async throws {
        let answer = try await world.replica.send(.post, "/classes/Note", ["text": .string(text)], token: user.token)
        #expect(answer.status == 201, "\(answer)")
    }

    @Test func userOfAPersonalReplicaGetsEventsOfTheOwnDataUntilTheLogOut() async throws {
        let world = try await PeopleWorld()
        #expect(try await world.hub.send(.post, "/classes/Note", ["text": "first"], masterKey: "hub").status == 201)
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        let (adas, bens) = (
            try await LiveSocket(world.replica, token: ada.token), try await LiveSocket(world.replica, token: ben.token)
        )
        for socket in [adas, bens] {
            try await socket.subscribe("Note")
            #expect(try await socket.find() == ["first"], "the subscription has waited for the first sync")
        }
        world.stopHub()
        #expect(try await world.note("private", by: ada).status == 201)
        try await open(world, "open", by: ben)
        #expect(try await adas.event() == "create private")
        #expect(try await bens.event() == "create open")
        try await world.startHub()
        try await world.sync(ben.token)
        try await world.sync(ada.token)
        var events: [String] = []
        while events.last != "create open" { events.append(try await adas.event()) }
        #expect(Set(events).isSubset(of: ["delete private", "create private", "update private", "create open"]))
        #expect(try await adas.find() == ["first", "open", "private"])
        #expect(try await world.replica.send(.post, "/logout", [:], token: ada.token).status == 200)
        while events.last != "error 209" { events.append(try await adas.event()) }
        try await open(world, "last", by: ben)
        var bensEvents: [String] = []
        while bensEvents.last != "create last" { bensEvents.append(try await bens.event()) }
        #expect(!bensEvents.contains { $0.contains("private") })
    }

    @Test func userOfASiteReplicaGetsEventsByTheOwnRightsUntilTheLogOut() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        let (adas, bens) = (
            try await LiveSocket(world.replica, token: ada.token), try await LiveSocket(world.replica, token: ben.token)
        )
        for socket in [adas, bens] {
            try await socket.subscribe("Note")
            #expect(try await socket.find() == ["first"])
        }
        world.stopHub()
        #expect(try await world.note("private", by: ada).status == 201)
        try await open(world, "open", by: ada)
        #expect(try await adas.event() == "create private")
        #expect(try await adas.event() == "create open")
        #expect(try await bens.event() == "create open")
        #expect(try await adas.find() == ["first", "open", "private"])
        #expect(try await bens.find() == ["first", "open"])
        #expect(try await world.replica.send(.post, "/logout", [:], token: ben.token).status == 200)
        #expect(try await bens.event() == "error 209")
        try await open(world, "last", by: ada)
        #expect(try await adas.event() == "create last")
    }
}
