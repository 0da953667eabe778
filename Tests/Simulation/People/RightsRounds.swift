import ParseModel
import StoreService

/// Checks that personal replicas soon follow changes of rights on the server: they hide the objects and fields that the
/// server has begun to hide, and show those that it has begun to show.
///
/// Nothing else happens between a change and its checks. Only changes of ACLs change the `updatedAt` of objects.
struct RightsRounds: Sendable {
    /// A change of rights at the server.
    enum Change: CaseIterable {
        case roles, protectedFields, fieldsOfOthers, fieldsOfOwners, refusedLists, pointers, acls, givenAway, open
    }

    let world: PeopleWorld

    private var server: PeopleServer { world.server }
    private var random: PartyRandom { world.random }

    /// The number of syncs after which a replica must show the same as the server. After a change of pointer
    /// permissions, more syncs are needed.
    private static let syncsMax = 2
    private static let roundsMax = 6
    /// The number of rows with which a sync reads all rows of most classes in this simulation.
    private static let rowsMax = 12
    /// The class whose permissions change.
    private static let className = "Note"

    /// Creates the objects whose rights change later. Each user is the `owner` of as many objects as the `keeper`, and
    /// each of the two roles gives the right to read equally many.
    func createObjects() async throws {
        let ids = server.users.map(\.id)
        for (number, id) in ids.enumerated() {
            let next = ids[(number + 1) % ids.count]
            for copy in 1...2 {
                let title = JSONValue.string("o\(number)\(copy)-server")
                try await server.write(
                    .create(
                        className: Self.className,
                        body: [
                            "title": title, "a": title, "owner": Pointer(className: "_User", objectId: id).json,
                            "keeper": Pointer(className: "_User", objectId: next).json,
                        ]))
            }
        }
        for role in PeopleServer.exchangedRoles {
            for number in 1...3 {
                let title = JSONValue.string("\(role)\(number)-server")
                let acl: JSONObject = ["role:\(role)": ["read": true]]
                try await server.write(
                    .create(className: Self.className, body: ["title": title, "b": title, "ACL": .object(acl)]))
            }
        }
    }

    /// Changes rights several times, and checks after each change that the personal replicas show the same as the
    /// server.
    func run() async throws {
        let personal = world.replicas.filter(\.product.followsServersRights)
        guard !personal.isEmpty else { return }
        for _ in 0..<Self.roundsMax where world.findings.isEmpty {
            let change = random.pick(Change.allCases) ?? .roles
            try await make(change)
            await world.pass(ms: 2000)
            for replica in personal {
                for user in server.users where !user.isDeleted {
                    try await check(user.id, at: replica, after: change)
                }
            }
        }
    }

    private func make(_ change: Change) async throws {
        world.trace.note("the rights change: \(change)")
        switch change {
        case .roles:
            guard let user = random.pick(server.users.filter { !$0.isDeleted }) else { return }
            try await server.exchangeRole(of: user.id)
        case .protectedFields:
            try await protect { ["*": [$0]] }
        // Hides the field from everybody except the user to whom `owner` points.
        case .fieldsOfOthers: try await protect { ["*": [$0], "userField:owner": []] }
        // Hides the field from the user to whom `owner` points.
        case .fieldsOfOwners: try await protect { ["userField:owner": [$0]] }
        case .refusedLists:
            try await server.setPermissions(of: Self.className, ["find": [:], "get": [:], "count": [:]])
        case .pointers: try await changePointers()
        case .acls: try await changeACLs()
        case .givenAway: await giveAway()
        case .open: try await server.setPermissions(of: Self.className, [:])
        }
    }

    private func protect(_ entries: (_ field: JSONValue) -> JSONObject) async throws {
        let field = random.pick(["a", "b"]) ?? "a"
        try await server.setPermissions(
            of: Self.className, ["protectedFields": .object(entries(.string(field)))])
    }

    /// Gives the right to read to the owners, then to the keepers, then to the owners again. Before and after the last
    /// change, each user may read equally many objects, so only the check of some objects in each sync finds the
    /// change. After the first change, most objects are hidden, and return later. After the second change, few are
    /// lost, and they are removed.
    private func changePointers() async throws {
        let fields = ["owner", "keeper", "owner"]
        for (number, field) in fields.enumerated() {
            let entry: JSONValue = ["pointerFields": [.string(field)]]
            try await server.setPermissions(of: Self.className, ["find": entry, "get": entry, "count": entry])
            guard number < fields.count - 1 else { break }
            await world.pass(ms: 2000)
            for replica in world.replicas {
                for user in server.users where !user.isDeleted { await syncTwice(user.id, at: replica) }
            }
        }
    }

    private func changeACLs() async throws {
        let objects = try server.store.objects.find(Self.className, ParseQuery(limit: 1000), as: .master).objects
        for object in objects where random.chance(0.5) {
            let acl = random.chance(0.5) ? [:] : world.users.randomACL(of: nil) ?? ["__op": "Delete"]
            try await server.write(
                .update(className: Self.className, objectId: object.objectId, body: ["ACL": acl]))
        }
    }

    /// Lets each user give an object to another user, through a replica. No two users give away the same object,
    /// because that would be a conflict.
    private func giveAway() async {
        var given: Set<String> = []
        for replica in world.replicas where replica.product.followsServersRights {
            for user in server.users where !user.isDeleted {
                guard let token = world.users.latestToken(of: user.id, at: replica.name),
                    let object = random.pick(
                        await world.users.list(Self.className, at: world.place(user.id, at: replica), token)
                            .filter { mayGiveAway($0, user.id) }),
                    let id = object["objectId"]?.string, given.insert(id).inserted,
                    let other = random.pick(server.users.filter { $0.id != user.id })
                else { continue }
                let acl: JSONObject = [other.id: ["read": true, "write": true]]
                _ = await replica.send(
                    .init(
                        method: .put, path: "/classes/\(Self.className)/\(id)", body: ["ACL": .object(acl)],
                        token: token))
            }
        }
    }

    /// Whether a user may write an object without the right of a role.
    private func mayGiveAway(_ object: JSONObject, _ userId: String) -> Bool {
        guard let acl = object["ACL"]?.object else { return true }
        return acl[userId]?.object?["write"] == true
    }

    private func syncTwice(_ userId: String, at replica: PeopleReplica) async {
        for _ in 0..<Self.syncsMax { await sync(userId, at: replica) }
    }

    private func sync(_ userId: String, at replica: PeopleReplica) async {
        let token = world.users.latestToken(of: userId, at: replica.name)
        _ = await replica.send(.init(method: .post, path: "/sync", query: "wait=true", body: [:], token: token))
    }

    private func check(
        _ userId: String, at replica: PeopleReplica, after change: Change
    ) async throws {
        guard let token = world.users.latestToken(of: userId, at: replica.name) else { return }
        await syncTwice(userId, at: replica)
        if change == .pointers {
            let kept = try replica.stores?.space(of: userId)?.objects.find(
                Self.className, ParseQuery(limit: 10_000), as: .master
            ).objects.count
            // Only the check of some objects in each sync finds this change, so a complete check takes several syncs.
            for _ in 0..<(kept ?? 0) / PeopleReplica.watchedMax + 1 { await sync(userId, at: replica) }
        }
        let place = world.place(userId, at: replica)
        let here = await world.users.list(Self.className, at: place, token)
        let own = Set(
            try world.hiddenObjects(of: Self.className, at: replica, of: userId).compactMap { $0["objectId"] })
        let shown = here.filter { object in !(object["objectId"].map(own.contains) ?? false) }
        let there = (try? server.objects(of: Self.className, for: userId)) ?? []
        compare(shown, there, userId, at: replica, after: change)
        if let copy = await world.users.followed(Self.className, at: place, token),
            PeopleWorld.comparable(copy) != PeopleWorld.comparable(here)
        {
            world.beliefs(of: replica).addFinding(
                "after \(change), the feed shows \(userId) other objects than the list")
        }
    }

    private func compare(
        _ here: [JSONObject], _ there: [JSONObject], _ userId: String, at replica: PeopleReplica,
        after change: Change
    ) {
        let (shown, expected) = (Self.facts(of: here), Self.facts(of: there))
        let extra = shown.subtracting(expected).sorted()
        // If the sync reads only some rows of the class, it may notice later that fields of other rows are shown again.
        let readsAll = replica.settings.fieldCanariesMax >= Self.rowsMax
        let missing = expected.subtracting(shown).filter { readsAll || !$0.contains(".") }.sorted()
        guard !extra.isEmpty || !missing.isEmpty else { return }
        world.beliefs(of: replica).addFinding("after \(change), \(userId) is shown \(extra), and not \(missing)")
    }

    /// The ids of the objects, and each `id.field` that an object has.
    private static func facts(of objects: [JSONObject]) -> Set<String> {
        Set(
            objects.flatMap { object in
                let id = object["objectId"]?.string ?? ""
                return [id] + ["title", "a", "b", "owner", "keeper"].filter { object[$0] != nil }.map { "\(id).\($0)" }
            })
    }
}
