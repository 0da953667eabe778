import Foundation
import HTTPTypes
import ParseModel
import Testing

/// Tests writes whose clients ask for the remote at replicas with users, with real processes, sockets and files.
@Suite("Writes that ask for the remote, of several users", .serialized)
struct DeliveryDaemonTests {
    private static func wish(_ remote: String, wait: Int = 10) -> JSONValue {
        ["tidegate": ["remote": .string(remote), "wait": .int(wait)]]
    }

    private func write(
        _ world: PeopleWorld, _ text: String, by user: PeopleWorld.User, _ wish: JSONValue
    ) async throws -> Daemon.Answer {
        let acl: JSONValue = [user.id: ["read": true, "write": true]]
        return try await world.replica.send(
            .post, "/classes/Note", ["text": .string(text), "ACL": acl, "_context": wish], token: user.token)
    }

    @Test func writesOfAUserReachTheRemoteBeforeTheyAreAnswered() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        let confirmed = try await write(world, "confirmed", by: ada, Self.wish("confirm"))
        #expect(confirmed.status == 201, "\(confirmed)")
        #expect(try await world.notes(world.hub, ada.token) == ["confirmed"])
        let only = try await write(world, "only", by: ada, Self.wish("only"))
        #expect(only.status == 201, "\(only)")
        #expect(try await world.notes(world.hub, ada.token) == ["confirmed", "only"])
        #expect(try await world.notes(world.replica, ada.token) == ["confirmed", "only"])

        world.stopHub()
        let queued = try await write(world, "queued", by: ada, Self.wish("confirm", wait: 0))
        #expect(queued.status == 201, "\(queued)")
        let refused = try await write(world, "nowhere", by: ada, Self.wish("only"))
        #expect([409, 503].contains(refused.status), "\(refused)")
        #expect(try await world.pending(ada.token) == 1)
        try await world.restartReplica()
        try await world.startHub()
        try await world.sync(ada.token)
        #expect(try await world.notes(world.hub, ada.token) == ["confirmed", "only", "queued"])
        #expect(try await world.notes(world.replica, ada.token) == ["confirmed", "only", "queued"])
    }

    /// The gateway of a site has the remote's master key, and sends each change under its author's session.
    @Test func writesAtASiteAreSentUnderTheSessionOfTheirAuthor() async throws {
        let (world, ada, ben) = try await PeopleWorld.site()
        for kind in ["confirm", "only"] {
            let answer = try await write(world, kind, by: ada, Self.wish(kind))
            #expect(answer.status == 201, "\(answer)")
            let id = try #require(answer.json.object?["objectId"]?.string)
            let shown = try await world.hub.send(.get, "/classes/Note/\(id)", token: ada.token)
            #expect(shown.json.object?["text"]?.string == kind, "\(shown)")
            let denied = try await world.replica.send(
                .put, "/classes/Note/\(id)", ["text": "x", "_context": Self.wish(kind)], token: ben.token)
            #expect(denied.status == 404, "\(denied)")
            let edited = try await world.replica.send(
                .put, "/classes/Note/\(id)", ["text": .string(kind + "!"), "_context": Self.wish(kind)],
                token: ada.token)
            #expect(edited.status == 200, "\(edited)")
        }
        #expect(try await world.notes(world.hub, ada.token) == ["confirm!", "first", "only!"])
        #expect(try await world.notes(world.hub, ben.token) == ["first"])
        world.stopHub()
        let refused = try await write(world, "nowhere", by: ada, Self.wish("only"))
        #expect(refused.status == 503, "\(refused)")
        #expect(try await world.pendingUsers().isEmpty)
    }

    /// The process is killed while its request is on the way. The hub has stopped answering.
    @Test func killDuringTheRequestLeavesNoQueuedChange() async throws {
        let world = try await PeopleWorld()
        let ada = try await world.signUp("ada")
        try await world.sync(ada.token)
        #expect(try await world.note("first", by: ada).status == 201)
        try await world.sync(ada.token)
        world.hub.signal(SIGSTOP)
        let answer = try await write(world, "lost", by: ada, Self.wish("only", wait: 1))
        // The signal may reach the hub after the request.
        guard answer.status != 201 else {
            world.hub.signal(SIGCONT)
            return #expect(try await world.notes(world.hub, ada.token) == ["first", "lost"])
        }
        // The wish is in the context, so the unknown outcome has no status that SDKs repeat.
        #expect([503, 400].contains(answer.status), "\(answer)")
        world.stopReplica()
        world.stopHub()
        try await world.startHub()
        try await world.restartReplica()
        #expect(try await world.notes(world.replica, ada.token) == ["first"])
        for _ in 1...PeopleWorld.attemptsMax {
            try await world.sync(ada.token)
            if try await world.pending(ada.token) == 0 { break }
        }
        #expect(try await world.pending(ada.token) == 0)
        let there = try await world.notes(world.hub, ada.token)
        #expect(try await world.notes(world.replica, ada.token) == there)
    }
}
