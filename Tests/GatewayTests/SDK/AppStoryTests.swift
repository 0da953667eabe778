import Foundation
import ParseModel
import Testing

/// An app with one user, by the requests of each SDK.
@Suite("An app with a user, by the requests of SDKs")
struct AppStoryTests {
    @Test(arguments: SDKForm.all) func aStandaloneGatewayAnswersTheApp(_ form: SDKForm) async throws {
        let directory = try TemporaryDirectory()
        let clock = TestClock()
        let hub = try Hub(directory, clock: clock)
        var replay = SDKReplay(hub.api, clock: clock)
        let app = AppStory(form, className: "Note", suffix: "")
        let requests = app.signUp + app.logIn + app.work(.online) + app.work(.offline) + app.logOut
        #expect(await replay.tell(app.story(requests)) == [])
        withExtendedLifetime(directory) {}
    }

    /// Apps of all SDKs work at one replica, first online and then offline.
    @Test(arguments: StoryRemote.Kind.all, PeopleStory.Mode.allCases)
    func workOnlineAndOfflineReachesTheRemote(_ kind: StoryRemote.Kind, _ mode: PeopleStory.Mode) async throws {
        let remote = try await StoryRemote(kind, className: "TidegateContract_apps")
        try await remote.clean([])
        let suffix = "-" + UUID().uuidString.lowercased()
        try await remote.addNote("seen by all")
        var world = try await StoryWorld(remote, mode, userIds: [])
        try await world.sync()
        var apps = SDKForm.all.map { form in
            RunningApp(
                story: AppStory(form, className: remote.className, suffix: suffix),
                replay: SDKReplay(RelayHandler(to: world.replica.url), clock: TestClock()))
        }
        for index in apps.indices {
            await apps[index].tell { $0.signUp + $0.logIn }
            world.userIds.append(try #require(apps[index].replay.ids["kiri"]))
        }
        let result: Result<Void, any Error>
        do { result = .success(try await work(of: &apps, at: world)) } catch { result = .failure(error) }
        try await remote.clean(world.userIds)
        try result.get()
    }

    private struct RunningApp {
        let story: AppStory
        var replay: SDKReplay

        mutating func tell(_ requests: (AppStory) -> [SDKRequest]) async {
            let lines = await replay.tell(story.story(requests(story)))
            #expect(lines == [])
        }
    }

    private func work(of apps: inout [RunningApp], at world: StoryWorld) async throws {
        try await world.sync()
        for index in apps.indices { await apps[index].tell { $0.work(.online) } }
        try await world.sync { $0.isEmpty }

        await world.relay.cut()
        for index in apps.indices { await apps[index].tell { $0.work(.offline) + $0.logOut } }
        #expect(try await world.waiting().map(\.user) == world.userIds.sorted())
        try world.relay.restore()
        try await world.sync()
        for index in apps.indices {
            apps[index].replay.forget("token")
            await apps[index].tell { $0.logIn }
        }
        try await world.sync { $0.isEmpty }

        for app in apps {
            for turn in AppStory.Turn.allCases { try await expectWork(of: app, turn, at: world.remote) }
        }
        for index in apps.indices { await apps[index].tell { $0.logOut } }
    }

    private func expectWork(of app: RunningApp, _ turn: AppStory.Turn, at remote: StoryRemote) async throws {
        let texts = app.story.texts(turn)
        let user = try #require(app.replay.ids["kiri"])
        let first = try await remote.notes(where: ["text": .string(texts[0])])
        #expect(first.count == 1, "\(texts[0])")
        let note = try #require(first.first)
        #expect(note["count"] == 3 && note["tags"] == ["a", "b"], "\(note.jsonText)")
        #expect(note["ACL"] == .object([user: ["read": true, "write": true]]))
        #expect(note["day"] == ["__type": "Date", "iso": "2027-02-06T00:00:00.000Z"])
        let photo = try #require(note["photo"]?.object?["name"]?.string)
        #expect(try await remote.content(ofFile: photo) == app.story.content(turn))
        let owner = Pointer(className: remote.className, objectId: note["objectId"]?.string ?? "").json
        let related = try await remote.notes(where: ["$relatedTo": ["object": owner, "key": "related"]])
        #expect(related.map { $0["text"] } == [.string(texts[1])])
    }
}
