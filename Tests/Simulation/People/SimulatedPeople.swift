import LocalStore
import ParseModel
import StoreService
import Synchronization

/// The users in runs of kind `site`, who work at the replicas. Also the server's changes that concern them: it revokes
/// sessions, and changes roles and the ACLs of objects.
final class SimulatedPeople: Sendable {
    private static let role = "staff"
    private static let count = 3

    private let server: SimulatedServer
    private let random: PartyRandom
    private let trace: Trace
    private let roleId = Mutex("")

    init(server: SimulatedServer, random: PartyRandom, trace: Trace) {
        self.server = server
        self.random = random
        self.trace = trace
    }

    private var register: UserRegister { server.users }
    var userIds: [String] { register.ids }

    /// Creates the users and their role on the server.
    func begin() async throws {
        for number in 1...Self.count {
            let id = try await write(.create(className: "_User", body: ["username": .string("user\(number)")])).objectId
            register.add(id)
        }
        let body: JSONObject = ["name": .string(Self.role), "ACL": [:]]
        let role = try await write(.create(className: "_Role", body: body)).objectId
        roleId.withLock { $0 = role }
    }

    /// Creates the classes, because users of a site may not use classes that the remote has not described.
    func describeClasses() async throws {
        for name in SimulatedReplica.classes {
            _ = try await server.store.objects.schemas.changeSchema(name) { SchemaChange($0 ?? ClassSchema(name)) }
        }
    }

    private func write(_ request: WriteRequest) async throws -> WriteReceipt { try await server.write(request).get() }

    // MARK: Sessions

    /// Logs a user in on the server, at a replica.
    func logIn(_ userId: String, at replica: SimulatedReplica) async throws {
        let token = register.addSession(of: userId)
        _ = try await server.store.accounts.open(NewSession(token: token, fields: [:]), of: userId)
        replica.sessions.add(token, of: userId)
        trace.note("\(userId) logs in at \(replica.name)")
    }

    /// Ends a session on the server, without informing the replica.
    func revoke(_ token: String) async throws {
        try await server.store.accounts.endSession(of: token)
        trace.note("the server revokes \(token)")
    }

    // MARK: Events

    /// Opens or revokes a session, or changes rights on the server.
    func act(at replica: SimulatedReplica) async throws {
        guard let userId = random.pick(userIds) else { return }
        switch random.below(6) {
        case 0, 1: try await logIn(userId, at: replica)
        case 2: if let token = replica.sessions.token(of: userId) { try await revoke(token) }
        case 3: try await changeRole(of: userId)
        default: await changeACL()
        }
    }

    private func changeRole(of userId: String) async throws {
        let operation = random.chance(0.6) ? "AddRelation" : "RemoveRelation"
        let pointer = Pointer(className: "_User", objectId: userId)
        trace.note("\(operation) \(userId) to the role")
        _ = try await write(
            .update(
                className: "_Role", objectId: roleId.withLock { $0 },
                body: ["users": ["__op": .string(operation), "objects": [pointer.json]]]))
    }

    private func changeACL() async {
        let className = random.pick(SimulatedReplica.classes) ?? "Note"
        guard let found = try? server.store.objects.find(className, ParseQuery(limit: 1000), as: .master).objects,
            let object = random.pick(found)
        else { return }
        let acl = randomACL(of: nil) ?? ["*": ["read": true, "write": true]]
        trace.note("the server sets the ACL of \(object.objectId) to \(acl.jsonText)")
        _ = await server.write(.update(className: className, objectId: object.objectId, body: ["ACL": acl]))
    }

    /// An ACL for a new or a changed object; nil for none.
    /// - Parameter author: the user to whom the ACL gives all rights; nil for a user on the server.
    func randomACL(of author: String?) -> JSONValue? {
        var acl = JSONObject()
        switch random.below(5) {
        case 0, 1: return nil
        case 2: break
        case 3: acl["*"] = ["read": true]
        default: acl["role:\(Self.role)"] = ["read": true, "write": true]
        }
        if let owner = author ?? random.pick(userIds) { acl[owner] = ["read": true, "write": true] }
        return .object(acl)
    }

    // MARK: Principals

    /// Lets the simulated users act as random users of the server, and give new objects random ACLs.
    func choose(for users: SimulatedUsers) {
        users.chooseReader.withLock { $0 = principal(in:) }
        users.chooseACL.withLock { $0 = randomACL(of:) }
    }

    /// A random user, with the roles that the replica knows.
    func principal(in store: LocalStore) -> Principal {
        random.pick(userIds).map { UserRegister.principal($0, in: store) } ?? .master
    }
}
