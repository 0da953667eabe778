import Foundation
import ParseModel
import Testing

/// Two people at one replica, with real processes and sockets, by the requests of SDKs. The remote is a standalone gateway and, if
/// `TIDEGATE_CONTRACT_REMOTE` names one with its master key, a Parse Server. A relay in front of the remote is cut to go offline.
@Suite("People at a replica, by the requests of SDKs", .serialized)
struct PeopleStoryTests {
    @Test(arguments: StoryRemote.Kind.all, PeopleStory.all)
    func eachChangeArrivesUnderTheRightsOfItsAuthor(_ kind: StoryRemote.Kind, _ story: PeopleStory) async throws {
        var story = story
        story.suffix = "-" + UUID().uuidString.lowercased()
        story.className = "TidegateContract_people"
        let remote = try await StoryRemote(kind, className: story.className)
        try await remote.clean([])
        try await remote.addNote("first")
        let ada = try await remote.addUser("ada" + story.suffix, password: "ada")
        let ben = try await remote.addUser("ben" + story.suffix, password: "ben")
        let world = try await StoryWorld(remote, story.mode, userIds: [ada, ben])
        let result: Result<Void, any Error>
        do { result = .success(try await tell(story, at: world, ada, ben)) } catch { result = .failure(error) }
        try await remote.clean([ada, ben])
        try result.get()
    }

    private func tell(_ story: PeopleStory, at world: StoryWorld, _ ada: String, _ ben: String) async throws {
        let remote = world.remote
        let rights = { (id: String) -> JSONValue in .object([id: ["read": true, "write": true]]) }
        var replay = SDKReplay(RelayHandler(to: world.replica.url), clock: TestClock())
        // In a site, users can work after the first sync.
        try await world.sync()
        #expect(await replay.tell(story.story(story.signIn)) == [])
        try await world.sync()
        #expect(await replay.tell(story.story(story.reading)) == [])
        #expect(await replay.tell(story.story(story.newUser)) == [])
        try await world.sync { $0.isEmpty }

        await world.relay.cut()
        #expect(await replay.tell(story.story(story.offline)) == [])
        try await remote.setPassword(of: ada, to: "new")
        try await remote.lock(ben)
        try world.relay.restore()
        try await world.sync { $0.filter(\.needsLogIn).map(\.user) == [ada, ben].sorted() }
        #expect(try await remote.notes() == ["first": .null])

        #expect(await replay.tell(story.story(story.afterwards)) == [])
        try await world.sync { !$0.contains { $0.user == ada } }
        #expect(try await remote.notes() == ["by ada": .null, "ada's": rights(ada)])
        let waiting = try await world.waiting()
        #expect(waiting.map(\.user) == [ben] && waiting.map(\.pending) == [1] && waiting.allSatisfy(\.needsLogIn))

        // The remote lets Ben in again. In a site, the gateway learns that with the next sync.
        try await remote.unlock(ben)
        try await world.sync()
        #expect(await replay.tell(story.story(story.end)) == [])
        try await world.sync { $0.isEmpty }
        #expect(
            try await remote.notes() == ["by ada": .null, "ada's": rights(ada), "ben's": rights(ben)])
    }
}

/// A replica of a remote behind a relay.
struct StoryWorld {
    let remote: StoryRemote
    let relay: Relay
    let replica: Daemon
    private let mode: PeopleStory.Mode
    /// The users whose spaces sync, in a personal replica.
    var userIds: [String]
    private let directories: [TemporaryDirectory]

    init(_ remote: StoryRemote, _ mode: PeopleStory.Mode, userIds: [String]) async throws {
        (self.remote, self.mode, self.userIds) = (remote, mode, userIds)
        relay = try Relay(to: remote.origin)
        let (data, keys) = (try TemporaryDirectory(), try TemporaryDirectory())
        directories = [data, keys]
        var options = [
            "--remote", relay.url + remote.mount, "--app-id", remote.applicationId, "--class", remote.className,
            "--session-key-file", keys.path + "/session-key", "--local-master-key", "replica", "--people",
            mode.rawValue,
        ]
        if let key = remote.restKey { options += ["--rest-key", key] }
        if mode == .site { options += ["--master-key", remote.masterKey] }
        replica = try await Daemon(data, options)
    }

    /// Syncs the data of the gateway and of all users. In a site, users may read the class once its permissions are known. A personal space whose
    /// user has no usable session cannot sync.
    func sync() async throws {
        switch mode {
        case .personal:
            for user in [""] + userIds.map({ "&user=\($0)" }) {
                _ = try await replica.send(.post, "/sync?wait=true\(user)", [:], masterKey: "replica")
            }
        case .site:
            for _ in 1...PeopleWorld.attemptsMax {
                let answer = try await replica.send(.post, "/sync?wait=true", [:], masterKey: "replica")
                #expect(answer.status == 200, "\(answer)")
                if try await replica.send(.get, "/classes/\(remote.className)").status == 200 { return }
            }
            Issue.record("the permissions of the class are not read")
        }
    }

    /// Syncs until the list of waiting changes is as expected.
    func sync(until isExpected: ([Waiting]) -> Bool) async throws {
        for _ in 1...PeopleWorld.attemptsMax {
            if isExpected(try await waiting()) { return }
            try await sync()
        }
        Issue.record("what waits is \(try await waiting())")
    }

    struct Waiting {
        let user: String
        /// The number of changed objects.
        let pending: Int
        /// Whether the changes cannot be sent before the user logs in.
        let needsLogIn: Bool
    }

    /// The users whose changes wait, by id.
    func waiting() async throws -> [Waiting] {
        let answer = try await replica.send(.get, "/sync/users", masterKey: "replica")
        let users = try #require(answer.json.object?["results"]?.array, "\(answer)").compactMap(\.object)
        return users.compactMap { user in
            guard let id = user["objectId"]?.string, let pending = user["pending"]?.int, pending > 0 else { return nil }
            return Waiting(user: id, pending: pending, needsLogIn: user["waitsForLogIn"] == true)
        }.sorted { $0.user < $1.user }
    }
}
