import ParseModel
import StoreService
import SyncModel
import Testing

@testable import LocalStore

/// The store of a user of a personal replica syncs the classes that the gateway syncs.
@Suite struct FollowedClassTests {
    private let store: LocalStore

    private var follower: any ClassFollower { store.classFollower }

    init() throws { store = try LocalStore.make(.replica) }

    private func known(_ name: String, _ policy: ConflictPolicy = .merge) -> SyncClass {
        var options = ClassOptions()
        options.policy = policy
        return SyncClass(name: name, options: options, pulls: [PullState(pull: .all)])
    }

    /// The policies of the synced classes.
    private func policies() async throws -> [String: ConflictPolicy] {
        let classes = try await store.sync(as: .gateway).syncClasses()
        return Dictionary(uniqueKeysWithValues: classes.map { ($0.name, $0.options.policy) })
    }

    @Test func aUsersStoreTakesOverOptionsAndNewClassesOfTheGateway() async throws {
        #expect(try await follower.follow([known("Note")]) == [])
        #expect(try await follower.follow([known("Note", .remote), known("Task")]) == [])
        #expect(try await policies() == ["Note": .remote, "Task": .merge])
    }

    @Test func aUsersStoreDropsAClassThatTheGatewayNoLongerSyncs() async throws {
        _ = try await follower.follow([known("Note"), known("Task")])
        // A class that only the user's store syncs stays.
        try await store.configureClass("Own") { _, pulls in pulls = [.all] }
        #expect(try await follower.follow([known("Task")]) == [])
        #expect(try await policies().keys.sorted() == ["Own", "Task"])
    }

    @Test func unsentChangesKeepAClassInAUsersStore() async throws {
        _ = try await follower.follow([known("Note")])
        let id = try await store.create(["text": "waits"], of: "Note")
        #expect(try await follower.follow([]).count == 1)
        #expect(try await policies().keys.contains("Note"))
        #expect(try await store.figures().pending == 1)
        try await store.delete(id, of: "Note")
        #expect(try await follower.follow([]) == [])
        #expect(try await policies().isEmpty)
    }

    @Test func aClassWithItsOwnOptionsIgnoresTheGatewaysOptions() async throws {
        _ = try await follower.follow([known("Note"), known("Task")])
        #expect(try await follower.setOwn("Note", true))
        #expect(try await !follower.setOwn("Note", true))
        _ = try await follower.follow([known("Note", .remote), known("Task", .remote)])
        #expect(try await policies() == ["Note": .merge, "Task": .remote])
        // The class also stays when the gateway no longer syncs it.
        _ = try await follower.follow([])
        #expect(try await policies() == ["Note": .merge])
        #expect(try await follower.setOwn("Note", false))
        _ = try await follower.follow([known("Note", .local)])
        #expect(try await policies() == ["Note": .local])
    }

    @Test func aClassUnregisteredInAUsersStoreStaysUnregistered() async throws {
        _ = try await follower.follow([known("Note")])
        _ = try await follower.setOwn("Note", true)
        try await store.unregisterClass("Note", purge: false, force: false)
        _ = try await follower.follow([known("Note", .remote)])
        #expect(try await policies().isEmpty)
    }
}
