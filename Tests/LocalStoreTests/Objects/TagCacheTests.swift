import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

/// Tags that are kept from one read to the next.
@Suite("Tags of objects that were read before")
struct TagCacheTests {
    private let store: LocalStore

    init() throws { store = try LocalStore.make(.replica) }

    private func tag(
        _ objectId: String, of className: String = "Holiday", as principal: Principal = .master
    ) throws -> String {
        let object = try #require(try store.object(className, objectId, as: principal))
        return try store.tag(className, object, as: principal)
    }

    /// The id that an object was made under becomes the one that its pointers count as; no pointer's text changes by that.
    @Test func anAliasOfAPointersTargetChangesTheTag() async throws {
        let country = try await store.create(["name": "Norway"], of: "Country")
        let target = Pointer(className: "Country", objectId: "remote").json
        try await store.pull([.make("known", ["in": target])])
        let before = try tag("known")
        let text = try store.object("Holiday", "known")?.json
        try await store.push(country, .applied("remote", createdMs: 1000, updatedMs: 1000))
        #expect(try store.object("Holiday", "known")?.json == text)
        let after = try tag("known")
        #expect(after != before)
        try await store.write(
            .update(
                className: "Holiday", objectId: "known", body: ["n": 1], terms: WriteTerms(match: .tags([after]))))
    }

    @Test func eachReaderHasTheTagOfWhatItMaySee() async throws {
        let id = try await store.create(["username": "ada", "email": "ada@example.org"], of: "_User")
        let (all, some) = (try tag(id, of: "_User"), try tag(id, of: "_User", as: .public))
        #expect(all != some)
        #expect(try tag(id, of: "_User") == all)
        #expect(try tag(id, of: "_User", as: .public) == some)
    }

    @Test func aChangeOfTheObjectChangesTheTag() async throws {
        let id = try await store.create(["n": 1])
        var seen: Set<String> = []
        for n in 2...5 {
            #expect(seen.insert(try tag(id)).inserted)
            try await store.update(id, ["n": .int(n)])
        }
        try await store.update(id, ["n": 2])
        #expect(try seen.contains(tag(id)))
    }
}
