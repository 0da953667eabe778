import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// A reader who applies the entries of the feed to an earlier copy of the readable objects gets the objects that are
/// readable now.
@Suite("The feed keeps each reader up to date")
struct FeedAgreementTests {
    private static let users = ["u0", "u1", "u2"]
    private static let roles = ["r0", "r1", "r2"]

    /// The ways in which a reader gets changes.
    enum Way: CaseIterable {
        /// The change feed.
        case feed
        /// The states before and after each change, by which live queries make their events.
        case live

        /// Applies the changes after a position to the ids of the readable objects.
        /// - Returns: the new position.
        func apply(
            _ store: LocalStore, since: Int64, limit: Int, as principal: Principal, to ids: inout Set<String>
        )
            throws -> Int64
        {
            switch self {
            case .feed:
                let page = try store.changes(since: since, classes: ["Note"], limit: limit, as: principal)
                for entry in page.entries {
                    if entry.kind == .delete { ids.remove(entry.objectId) } else { ids.insert(entry.objectId) }
                }
                return page.next
            case .live:
                let page = try store.objects.live.changes(
                    since: since, classes: ["Note"], limit: limit, for: LiveReader(principal: principal))
                for change in page.changes {
                    #expect(ids.contains(change.objectId) == (change.before != nil))
                    if change.after == nil { ids.remove(change.objectId) } else { ids.insert(change.objectId) }
                }
                return page.next
            }
        }
    }

    @Test(arguments: 1...8, Way.allCases)
    func copiesBuiltFromChangesEqualQueriesOverRandomChanges(seed: Int, way: Way) async throws {
        let random = RandomQueries(seed: UInt64(seed))
        let store = try LocalStore.make()
        var world = World(store: store, random: random)
        try await world.begin()
        var copies: [(principal: Principal, position: Int64, ids: Set<String>)] = []
        var caught = 0
        for _ in 0..<60 {
            copies.append(try world.copy(of: random.chance(5) ? nil : random.pick(Self.users)))
            for _ in 0..<1 + random.below(4) { try await world.change() }
            // Some readers do not read the feed in this round.
            for place in copies.indices where random.chance(3) {
                let before = copies[place]
                let now = try world.copy(of: before.principal.user?.objectId)
                var (ids, position) = (before.ids, before.position)
                while position < now.position {
                    let next = try way.apply(
                        store, since: position, limit: 1 + random.below(6), as: now.principal, to: &ids)
                    #expect(next > position)
                    position = next
                }
                #expect(ids == now.ids, "seed \(seed), \(way), \(now.principal) since \(before.position)")
                if before.ids != now.ids { caught += 1 }
                copies[place] = now
            }
        }
        #expect(caught > 50)
    }

    private struct World {
        let store: LocalStore
        let random: RandomQueries
        private var roleIds: [String: String] = [:]

        init(store: LocalStore, random: RandomQueries) { (self.store, self.random) = (store, random) }

        mutating func begin() async throws {
            _ = try await store.objects.live.follow(["Note"], for: .seconds(3600))
            for name in FeedAgreementTests.roles {
                roleIds[name] = try await store.create(["name": .string(name), "ACL": [:]], of: "_Role")
            }
            for _ in 0..<8 { try await create() }
        }

        /// The objects that a user or the public can read now, and the present position of the feed.
        func copy(of user: String?) throws -> (principal: Principal, position: Int64, ids: Set<String>) {
            let principal: Principal =
                try user.map { id in
                    .signedIn(id, roles: try store.transactions.read { try RoleMembership(db: $0).roles(of: id) })
                } ?? .public
            let ids: [String]
            do {
                ids = try store.find("Note", ParseQuery(limit: 1000), as: principal).objects.map(\.objectId)
            } catch is ParseError {
                ids = []
            }
            return (principal, try store.changes(since: nil, classes: nil, limit: 1).next, Set(ids))
        }

        func change() async throws {
            switch random.below(10) {
            case 0, 1: try await create()
            case 2, 3, 4:
                guard let id = try note() else { return }
                try await store.update(id, fields(), of: "Note")
            case 5:
                guard let id = try note() else { return }
                try await store.delete(id, of: "Note")
            case 6: try await permit()
            case 7: try await member("roles", of: "_Role", random.pick(Array(roleIds.values.sorted())))
            default: try await member("users", of: "_User", random.pick(FeedAgreementTests.users))
            }
        }

        private func note() throws -> String? {
            let all = try store.find("Note", ParseQuery(limit: 1000)).objects.map(\.objectId)
            return all.isEmpty ? nil : random.pick(all)
        }

        private func create() async throws { try await store.create(fields(), of: "Note") }

        private func fields() -> JSONObject {
            var fields: JSONObject = ["n": .int(random.below(100))]
            if random.chance(2) {
                var acl = JSONObject()
                for _ in 0..<random.below(3) { acl[entity()] = ["read": true] }
                fields["ACL"] = .object(acl)
            }
            if random.chance(2) { fields["owner"] = user() }
            if random.chance(3) { fields["readers"] = .array(random.some(upTo: 2, user)) }
            return fields
        }

        private func user() -> JSONValue {
            Pointer(className: "_User", objectId: random.pick(FeedAgreementTests.users)).json
        }

        private func entity() -> String {
            random.chance(4)
                ? "*"
                : random.chance(2)
                    ? random.pick(FeedAgreementTests.users) : "role:" + random.pick(FeedAgreementTests.roles)
        }

        private func permit() async throws {
            var find = JSONObject()
            if random.chance(3) { find["*"] = true }
            if random.chance(2) { find["pointerFields"] = ["owner"] }
            if random.chance(2) { find[entity()] = true }
            if random.chance(6) { find["requiresAuthentication"] = true }
            var permissions: JSONObject? = ["find": .object(find), "get": ["*": true]]
            if random.chance(3) { permissions?["readUserFields"] = ["readers"] }
            if random.chance(3) { permissions = nil }
            _ = try await store.changeSchema("Note") { [permissions] before in
                var schema = before ?? ClassSchema("Note")
                schema.permissions = permissions
                return SchemaChange(schema)
            }
        }

        private func member(_ field: String, of className: String, _ id: String) async throws {
            let verb = random.chance(2) ? "AddRelation" : "RemoveRelation"
            let role = random.pick(Array(roleIds.values.sorted()))
            let change: JSONValue = [
                "__op": .string(verb), "objects": [Pointer(className: className, objectId: id).json],
            ]
            try await store.update(role, [field: change], of: "_Role")
        }
    }
}
