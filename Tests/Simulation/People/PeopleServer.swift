import HTTPClient
import HTTPTypes
import HeaderNames
import LocalStore
import ParseModel
import StoreService
import Synchronization

/// The server of a `PeopleWorld`, with its users and a record of everything that each of them was ever allowed to read.
final class PeopleServer: Sendable {
    struct User: Sendable {
        let id: String
        let name: String
        /// All passwords of the user, the present one last.
        var passwords: [String]
        /// Whether the ACL of the user is empty, so that the user cannot log in.
        var isLocked = false
        /// Whether the user was ever locked out.
        var wasLocked = false
        var isDeleted = false

        var password: String { passwords.last ?? "" }
    }

    private struct State {
        var users: [User] = []
        /// The ids of the existing roles, by name.
        var roleIds: [String: String] = [:]
        /// By role name, all users who have ever had the role.
        var members: [String: Set<String>] = [:]
        var passwordCount = 0
        /// By user, all facts that the server has ever shown the user: `title` and `title/field/value`.
        var readable: [String: Set<String>] = [:]
        /// The position in the server's change feed up to which `readable` includes the changes.
        var readableAt: Int64 = -1
    }

    static let url = "http://localhost/parse"
    /// A role that is never deleted on the server.
    static let lastingRole = "staff"
    static let roles = [lastingRole, "night"]
    /// Two roles that give the right to read equally many objects. Each user has one of them from the start.
    static let exchangedRoles = ["red", "blue"]
    static let classes = SimulatedReplica.classes

    let server: SimulatedServer
    private let state = Mutex(State())

    init(_ server: SimulatedServer) { self.server = server }

    var users: [User] { state.withLock { $0.users } }
    var store: LocalStore { server.store }
    func user(_ id: String) -> User? { users.first { $0.id == id } }

    /// Creates the classes, the users and the roles.
    func begin(userCount: Int) async throws {
        for name in Self.classes {
            _ = try await store.objects.schemas.changeSchema(name) { SchemaChange($0 ?? ClassSchema(name)) }
        }
        for number in 1...userCount {
            let name = "user\(number)"
            let password = newPassword()
            let answer = await call(.post, "/users", ["username": .string(name), "password": .string(password)])
            guard answer.status == 201 else { throw WorldError("\(name) cannot sign up") }
        }
        for name in Self.roles { try await createRole(name) }
        for name in Self.exchangedRoles { try await createRole(name, mayBeRead: name == "red") }
        for user in users where Int(user.name.suffix(1)) != 1 { try await changeRole("staff", "AddRelation", user.id) }
        for user in users { try await changeRole(Self.exchangedRoles[0], "AddRelation", user.id) }
    }

    func newPassword() -> String {
        state.withLock { state in
            state.passwordCount += 1
            return "p\(state.passwordCount)"
        }
    }

    // MARK: Requests

    struct Answer: Sendable {
        let status: Int
        let json: JSONObject?
    }

    /// Executes a request of a replica.
    func answer(_ request: HTTPClientRequest, of party: String) async -> HTTPClientResponse {
        let answer = await server.answer(request, by: ServerHistory.Sender(party: party))
        noteSession(in: answer, to: request)
        notePassword(in: request, answer)
        noteReadable()
        return answer
    }

    func executeDelayedRequests() async {
        await server.executeDelayedRequests()
        noteReadable()
    }

    func deliverLater(_ request: HTTPClientRequest, of party: String, afterMs delayMs: Int) {
        server.deliverLater(request, of: party, afterMs: delayMs)
    }

    /// Executes a request that a client sends to the server directly, without a replica.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil, token: String? = nil,
        isMaster: Bool = false
    ) async -> Answer {
        var headers = HTTPFields()
        if body != nil { headers[.contentType] = "application/json" }
        headers[.parseSessionToken] = token
        if isMaster { headers[.parseMasterKey] = UserRegister.masterKey }
        let response = await answer(
            HTTPClientRequest(
                method: method, url: Self.url + path, headers: headers, body: body?.jsonBytes ?? [],
                isRepeatable: method == .get), of: SimulatedServer.name)
        return Answer(status: response.status.code, json: try? JSONReader.read(response.body).object)
    }

    /// Whether the server accepts a session.
    func accepts(_ token: String) async -> Bool { await call(.get, "/users/me", token: token).status == 200 }

    /// Executes a write with the master key.
    @discardableResult
    func write(_ request: WriteRequest) async throws -> WriteReceipt {
        let receipt = try await server.write(request).get()
        noteReadable()
        return receipt
    }

    private func noteSession(in answer: HTTPClientResponse, to request: HTTPClientRequest) {
        guard answer.status.kind == .successful, let fields = try? JSONReader.read(answer.body).object,
            let token = fields["sessionToken"]?.string
        else { return }
        // The answer to a password change contains a new session and no user id.
        server.users.note(token, of: fields["objectId"]?.string ?? Self.lastPart(of: request.url))
    }

    /// Records the name and password of a new user, or a user's new password.
    private func notePassword(in request: HTTPClientRequest, _ answer: HTTPClientResponse) {
        guard answer.status.kind == .successful, request.url.hasPrefix(Self.url + "/users"),
            let body = try? JSONReader.read(request.body).object, let password = body["password"]?.string
        else { return }
        if request.method == .put {
            notePassword(password, of: Self.lastPart(of: request.url))
        } else if request.method == .post, let name = body["username"]?.string,
            let id = (try? JSONReader.read(answer.body).object)?["objectId"]?.string
        {
            server.users.add(id)
            state.withLock { $0.users.append(User(id: id, name: name, passwords: [password])) }
        }
    }

    private static func lastPart(of url: String) -> String { String(url.split(separator: "/").last ?? "") }

    private func notePassword(_ password: String, of userId: String) {
        change(userId) { $0.passwords.append(password) }
    }

    // MARK: Changes

    /// Creates a role.
    /// - Parameter mayBeRead: whether everybody may read the role.
    func createRole(_ name: String, mayBeRead: Bool = false) async throws {
        let acl: JSONValue = mayBeRead ? ["*": ["read": true]] : [:]
        let role = try await write(.create(className: "_Role", body: ["name": .string(name), "ACL": acl]))
        state.withLock { $0.roleIds[name] = role.objectId }
    }

    func dropRole(_ name: String) async throws {
        guard let id = state.withLock({ $0.roleIds.removeValue(forKey: name) }) else { return }
        try await write(.delete(className: "_Role", objectId: id))
    }

    func hasRole(_ name: String) -> Bool { state.withLock { $0.roleIds[name] != nil } }

    func changeRole(_ name: String, _ operation: String, _ userId: String) async throws {
        guard let id = state.withLock({ $0.roleIds[name] }) else { return }
        let pointer = Pointer(className: "_User", objectId: userId)
        try await write(
            .update(
                className: "_Role", objectId: id,
                body: ["users": ["__op": .string(operation), "objects": [pointer.json]]]))
        if operation == "AddRelation" { state.withLock { _ = $0.members[name, default: []].insert(userId) } }
        noteReadable(isForced: true)
    }

    /// Takes one of the `exchangedRoles` from a user, and gives the user the other one.
    func exchangeRole(of userId: String) async throws {
        let roles = UserRegister.principal(userId, in: store).user?.roles ?? []
        for name in Self.exchangedRoles {
            try await changeRole(name, roles.contains(name) ? "RemoveRelation" : "AddRelation", userId)
        }
    }

    /// Sets the permissions of a class. An operation that `entries` does not name is public.
    func setPermissions(of className: String, _ entries: JSONObject) async throws {
        var permissions = JSONObject()
        for operation in ["find", "get", "count", "create", "update", "delete", "addField"] {
            permissions[operation] = entries[operation] ?? ["*": true]
        }
        permissions["protectedFields"] = entries["protectedFields"] ?? ["*": []]
        let changed = permissions
        _ = try await store.objects.schemas.changeSchema(className) { known in
            var schema = known ?? ClassSchema(className)
            schema.permissions = changed
            return SchemaChange(schema)
        }
        noteReadable(isForced: true)
    }

    /// Whether the server has ever given a user a role.
    func hasGiven(_ role: String, to userId: String) -> Bool {
        state.withLock { $0.members[role]?.contains(userId) == true }
    }

    /// Sets a new password. The server ends the user's sessions.
    func changePassword(of userId: String) async throws {
        let password = newPassword()
        let answer = await call(.put, "/users/\(userId)", ["password": .string(password)], isMaster: true)
        guard answer.status == 200 else { throw WorldError("a password cannot be changed: \(answer)") }
    }

    /// Locks a user out by an empty ACL, or unlocks the user.
    func setLocked(_ isLocked: Bool, _ userId: String) async throws {
        let acl: JSONObject = isLocked ? [:] : [userId: ["read": true, "write": true]]
        let answer = await call(.put, "/users/\(userId)", ["ACL": .object(acl)], isMaster: true)
        guard answer.status == 200 else { throw WorldError("the ACL of a user cannot be changed: \(answer)") }
        change(userId) { user in
            user.isLocked = isLocked
            user.wasLocked = user.wasLocked || isLocked
        }
    }

    func delete(userId: String) async throws {
        let answer = await call(.delete, "/users/\(userId)", isMaster: true)
        guard answer.status == 200 else { throw WorldError("a user cannot be deleted: \(answer)") }
        change(userId) { $0.isDeleted = true }
    }

    private func change(_ userId: String, _ change: (inout User) -> Void) {
        state.withLock { state in
            guard let index = state.users.firstIndex(where: { $0.id == userId }) else { return }
            change(&state.users[index])
        }
    }

    func revoke(_ token: String) async throws { try await store.accounts.endSession(of: token) }

    // MARK: Rights

    func principal(_ userId: String) -> Principal { UserRegister.principal(userId, in: store) }

    /// The objects of a class that a user may read now.
    func objects(of className: String, for userId: String) throws -> [JSONObject] {
        try store.objects.find(className, ParseQuery(limit: 10_000), as: principal(userId)).objects.compactMap {
            try? $0.fields(of: className)
        }
    }

    /// Whether the server has ever shown a user this fact: a title, or `title/field/value`.
    func hasShown(_ fact: String, to userId: String) -> Bool {
        state.withLock { $0.readable[userId]?.contains(fact) == true }
    }

    /// Adds the facts to `readable` that each user may read now.
    private func noteReadable(isForced: Bool = false) {
        let seen = server.history.withLock { $0.seen }
        let isDue = state.withLock { state in
            defer { state.readableAt = seen }
            return isForced || state.readableAt != seen
        }
        guard isDue else { return }
        for user in users {
            for className in Self.classes {
                let facts = ((try? objects(of: className, for: user.id)) ?? []).flatMap(ShownObject.facts)
                state.withLock { $0.readable[user.id, default: []].formUnion(facts) }
            }
        }
    }
}

/// An error in the simulation itself, which is not reported as a finding about the gateway.
struct WorldError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// Converts an object in an answer to the facts that it reveals.
enum ShownObject {
    /// The title of an object, and `title/field/value` of each field that users set.
    static func facts(of object: JSONObject) -> [String] {
        guard let title = object["title"]?.string else { return [] }
        return [title]
            + ServerHistory.setFields.compactMap { field in
                object[field]?.string.map { "\(title)/\(field)/\($0)" }
            }
    }
}
