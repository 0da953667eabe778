import LocalStore
import ParseModel
import RemoteHTTP
import RemoteService
import StoreSupport
import SyncEngine
import Synchronization
import TablesServer
import Testing

/// Tests a table server that requires the token of a user.
@Suite("Tokens of a table server", .timeLimit(.minutes(10)))
struct DatasyncTokenTests {
    /// A token source that returns another token after the first refusal.
    private final class Renewing: TokenSource {
        private let tokens: Mutex<[String]>
        init(_ tokens: [String]) { self.tokens = Mutex(tokens) }
        func token() async -> String? { tokens.withLock(\.first) }

        func renewed(after refused: String?) async -> String? {
            tokens.withLock { tokens in
                if tokens.count > 1, tokens.first == refused { tokens.removeFirst() }
                return tokens.first == refused ? nil : tokens.first
            }
        }
    }

    private func world(_ variant: TablesVariant, _ tokens: [String]) async throws -> DatasyncWorld {
        let users = TablesServer.Users(tokens: ["new": "alice"], expired: ["old": "alice"])
        return try await DatasyncWorld(variant, token: Renewing(tokens), users: users) { $0.needsToken = true }
    }

    @Test(arguments: [TablesVariant.azure, .community])
    func expiredTokenOfTheTableServerIsRenewed(_ variant: TablesVariant) async throws {
        let world = try await world(variant, ["old", "new"])
        world.server.put("Holiday", "row", ["n": 1])
        try await world.sync()
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.settle()
        #expect(world.live["row"] == ["n": 2])
    }

    /// Without a token, a table that is open to anonymous users would execute the request as that of an anonymous
    /// user.
    @Test func noRequestIsSentToTheTableServerWithoutItsToken() async throws {
        let world = try await DatasyncWorld(token: Renewing([]))
        try await world.store.create("Holiday", ["n": 1])
        guard case .failed(.offline(let reason, _)) = await world.engine.sync() else {
            Issue.record("the sync does not say why it failed")
            return
        }
        #expect(reason.contains("there is no token of the remote's user"))
        #expect(world.server.requests.isEmpty)
        #expect(try await world.store.figures().pending == 1)
    }

    @Test(arguments: [TablesVariant.azure, .community])
    func tokenRefusedByTheTableServerPausesThePush(_ variant: TablesVariant) async throws {
        let world = try await world(variant, ["old"])
        let id = try await world.store.create("Holiday", ["n": 1])
        guard case .failed(.unauthorized) = await world.engine.sync() else {
            Issue.record("the sync does not say why it failed")
            return
        }
        #expect(try await world.store.figures().pending == 1)
        #expect(try await world.store.figures().rejections == 0)
        world.server.set(.init(tokens: ["old": "alice"]))
        try await world.settle()
        #expect(world.live[id] == ["n": 1])
    }
}
