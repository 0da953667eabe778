import GatewayAPI
import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

@testable import Gateway

/// Tests `GET /classes/:class/:id?_why=true` in a replica: the life of an object in plain lines.
@Suite("The life of an object")
struct WhyTests {
    private let world: World
    private let known: String

    init() async throws {
        world = try await World.make()
        known = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func lines(_ id: String, of className: String = "Holiday") async throws -> [String] {
        let (status, answer) = try await world.replica.send(
            "GET /classes/\(className)/\(id)?_why=true", clock: world.clock)
        #expect(status == 200)
        #expect(answer["className"] == .string(className))
        return answer["lines"]?.array?.compactMap { $0.object?["text"]?.string } ?? []
    }

    @Test func pulledObjectTellsWhenItWasPulled() async throws {
        let lines = try await lines(known)
        #expect(lines.contains("Pulled from the remote for the first time."))
        #expect(lines.contains("It equals the remote's object as it was last pulled."))
        #expect(lines.contains { $0.hasPrefix("It belongs to the pull all, whose last complete run began at 20") })
    }

    @Test func createdObjectTellsItsLifeUnderBothIds() async throws {
        world.transport.set { _, _, _ in .refused }
        let id = try await world.replica.store.create("Holiday", ["n": 2])
        _ = await world.replica.attempt()
        let waiting = try await lines(id)
        #expect(waiting.contains("Created here by a client of this gateway."))
        #expect(waiting.contains { $0.hasPrefix("The create waits. The remote does not answer: ") })
        world.transport.heal()
        try await world.replica.sync()
        let present = try #require(try world.hub.store.all("Holiday").keys.first { $0 != known })
        for name in [id, present] {
            let lines = try await lines(name)
            #expect(
                lines.contains { $0.hasPrefix("Its id here was \(id) until the remote gave it") } == (id != present))
            #expect(!lines.contains { $0.hasPrefix("The create waits") })
        }
    }

    @Test func pausedSyncsAreTheReasonOfAWaitingChange() async throws {
        try await world.replica.engine.pause()
        try await world.replica.store.update("Holiday", known, ["n": 2])
        #expect(
            try await lines(known).contains(
                "The update of n waits. Syncing is paused. POST /sync/resume resumes it."))
    }

    @Test func refusedChangeTellsTheRemotesAnswer() async throws {
        try await world.replica.store.update("Holiday", known, ["n": "no number"])
        try await world.replica.sync()
        let refused = try #require(try await lines(known).first { $0.hasPrefix("The update of n was refused: ") })
        #expect(refused.contains("(code 111)"))
    }

    @Test func policyThatSettledAFieldIsNamed() async throws {
        try await world.hub.store.update("Holiday", known, ["n": 5])
        world.clock.advance(.seconds(60))
        try await world.replica.store.update("Holiday", known, ["n": 6])
        try await world.replica.sync()
        #expect(
            try await lines(known).contains(
                "Conflict: both sides changed n. The policy of the class (now merge) decided for: local."))
    }

    @Test func deletedAndMissingObjectsTellWhyTheyAreNotShown() async throws {
        world.transport.set { _, _, _ in .refused }
        try await world.replica.store.delete("Holiday", known)
        #expect(
            try await lines(known).contains("It was deleted here. The remote has not acknowledged the deletion."))
        world.transport.heal()
        try await world.replica.sync()
        let gone = try await lines(known)
        #expect(gone.contains("The file has no object with this id."))
        #expect(gone.contains("Deleted, or no longer shown to clients."))
        #expect(try await lines("a", of: "Nothing").contains { $0.hasSuffix("The class is not under sync.") })
    }

    @Test func standaloneGatewayTellsTheLifeToThoseWhoMayRead() async throws {
        let hidden = try await world.hub.store.create("Holiday", ["ACL": ["ada": ["read": true]]])
        let (status, answer) = try await world.hub.api.send("GET /classes/Holiday/\(known)?_why=true")
        #expect(status == 200)
        let lines = answer["lines"]?.array?.compactMap { $0.object?["text"]?.string } ?? []
        #expect(lines.contains("Created, by the object's createdAt. The file does not keep by whom."))
        #expect(lines.contains("Earlier changes are shown only with the master key."))
        for path in ["/classes/Holiday/\(hidden)", "/classes/Holiday/nowhere"] {
            let (status, answer) = try await world.hub.api.send("GET \(path)?_why=true")
            #expect(status == 404)
            #expect(answer["code"] == 101)
        }
        let owner = try LifeLines(of: "Holiday", hidden, in: world.hub.store.objects, as: .master, .none).lines
        #expect(
            owner.contains {
                $0.kind == .notShown
                    && $0.text == "By its ACL, only ada may read it. For others it does not exist (code 101)."
            })
        let user = Principal.user(SignedInUser(objectId: "ada", roles: [], sessionId: "s"))
        #expect(throws: Never.self) {
            try LifeLines(of: "Holiday", hidden, in: world.hub.store.objects, as: user, .none)
        }
    }

    @Test func parameterUserNeedsAPersonalReplica() async throws {
        let (status, answer) = try await world.replica.send(
            "GET /classes/Holiday/\(known)?_why=true&user=ada", clock: world.clock)
        #expect(status == 400)
        #expect(answer["code"] == 102)
    }
}
