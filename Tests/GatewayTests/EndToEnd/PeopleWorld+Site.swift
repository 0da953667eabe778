import Foundation
import ParseModel
import Testing

/// A site replica and its remote, as real processes.
extension PeopleWorld {
    typealias User = (id: String, token: String)

    /// Makes a site replica that has synced its users. Ada and Ben have signed up through it. The remote has one note,
    /// `first`.
    static func site(_ more: [String] = []) async throws -> (PeopleWorld, User, User) {
        let world = try await PeopleWorld(["--people", "site", "--master-key", "hub"] + more)
        let (ada, ben) = (try await world.signUp("ada"), try await world.signUp("ben"))
        // The remote knows a class only after its first object was created.
        #expect(try await world.hub.send(.post, "/classes/Note", ["text": "first"], masterKey: "hub").status == 201)
        try await world.syncSite()
        return (world, ada, ben)
    }

    /// Syncs until the class permissions are known. They are read after a sync.
    func syncSite() async throws {
        for _ in 1...2 {
            let answer = try await asOwner(.post, "/sync?wait=true")
            #expect(answer.status == 200, "\(answer)")
        }
        for _ in 1...Self.attemptsMax {
            if try await replica.send(.get, "/classes/Note").status == 200 { return }
            _ = try await asOwner(.post, "/sync?wait=true")
        }
        Issue.record("the permissions of the class are not read")
    }

    /// The ids of the users whose changes are pending, one for each change.
    func pendingUsers() async throws -> [String?] {
        let answer = try await asOwner(.get, "/sync/pending")
        return try #require(answer.json.object?["results"]?.array).map { $0.object?["user"]?.string }
    }

    /// The path and query of a URL.
    static func path(_ address: String?) throws -> String {
        let parts = try #require(address).split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return "/" + (try #require(parts.count == 4 ? parts[3] : nil))
    }

    /// Runs `tidegate user forget` on the running replica, or on the directory of the stopped one.
    func forget(isRunning: Bool, _ more: [String]) async throws -> (String, Int32) {
        let place = isRunning ? ["--url", replica.url, "--master-key", "replica"] : ["--data", replicaDirectory.path]
        let run = try await Run.ending(["user", "forget"] + more + place)
        return (run.lines.joined(separator: "\n"), run.code)
    }
}
