import ParseModel

/// Lists and changes the users and roles of a gateway, for `tidegate user` and `tidegate role`. Uses only Parse's REST
/// routes.
package struct People: Sendable {
    private let client: GatewayClient
    private static let pageMax = 1000

    /// - Parameter client: a client with the master key.
    package init(_ client: GatewayClient) { self.client = client }

    /// Checks that the gateway accepts the master key and is standalone.
    /// - Throws: `GatewayClientError`; `ConfigurationError` for a replica, whose users are those of its remote.
    package func check() async throws {
        let info = try await client.call(.get, "/serverInfo")
        guard info["tidegate"]?.object?["mode"] == "standalone" else {
            throw ConfigurationError("the gateway at \(client.url) is a replica: its users and roles are on its remote")
        }
    }

    /// A user as the commands show it.
    package struct User: Sendable, Hashable {
        package let objectId: String
        package let name: String
        package let email: String?
        /// Whether the user is locked: the ACL is empty, and each log-in is refused.
        package let isLocked: Bool
    }

    /// A role with the names of its direct members.
    package struct Role: Sendable, Hashable {
        package let objectId: String
        package let name: String
        package var users: [String] = []
        /// The roles whose members are members of this role too.
        package var roles: [String] = []
    }

    /// A kind of member of a role.
    package enum Member: String, Sendable, CaseIterable {
        case user = "users"
        case role = "roles"

        fileprivate var className: String { self == .user ? "_User" : "_Role" }
        fileprivate var key: String { self == .user ? "username" : "name" }
    }

    // MARK: Users

    package func users() async throws -> [User] {
        try await all("/users", order: "username").map { user in
            User(
                objectId: user["objectId"]?.string ?? "", name: user["username"]?.string ?? "",
                email: user["email"]?.string, isLocked: user["ACL"] == [:])
        }
    }

    /// Adds a user. The session that the sign-up opens is ended, because its token is not kept.
    /// - Parameter email: nil for a user without an email address.
    package func addUser(_ name: String, password: String, email: String?) async throws {
        var body: JSONObject = ["username": .string(name), "password": .string(password)]
        if let email { body["email"] = .string(email) }
        let added = try await client.call(.post, "/users", body)
        try await endSessions(of: added["objectId"]?.string ?? "")
    }

    /// Sets a password. The gateway ends the user's sessions.
    package func setPassword(of name: String, to password: String) async throws {
        _ = try await client.call(.put, "/users/\(Self.path(try await userId(name)))", ["password": .string(password)])
    }

    /// Locks a user out, and ends the user's sessions.
    /// - Returns: the replaced ACL, if it is not the one that `unlock` makes.
    @discardableResult
    package func lock(_ name: String) async throws -> JSONValue? {
        let id = try await userId(name)
        let acl = try await client.call(.get, "/users/\(Self.path(id))")["ACL"]
        _ = try await client.call(.put, "/users/\(Self.path(id))", ["ACL": [:]])
        try await endSessions(of: id)
        return acl == Self.ownACL(id) || acl == [:] ? nil : acl
    }

    private static func ownACL(_ id: String) -> JSONValue { [id: ["read": true, "write": true]] }

    /// Lets a locked user log in again. The user's object becomes private, like that of a new user.
    package func unlock(_ name: String) async throws {
        let id = try await userId(name)
        _ = try await client.call(.put, "/users/\(Self.path(id))", ["ACL": Self.ownACL(id)])
    }

    /// Deletes a user and the user's sessions.
    package func removeUser(_ name: String) async throws {
        let id = try await userId(name)
        _ = try await client.call(.delete, "/users/\(Self.path(id))")
        try await endSessions(of: id)
    }

    private func endSessions(of userId: String) async throws {
        let conditions: JSONObject = ["user": Pointer(className: "_User", objectId: userId).json]
        for session in try await all("/sessions", order: "objectId", where: conditions) {
            _ = try await client.call(.delete, "/sessions/\(Self.path(session["objectId"]?.string ?? ""))")
        }
    }

    private func userId(_ name: String) async throws -> String { try await id(of: .user, name) }

    // MARK: Roles

    package func roles() async throws -> [Role] {
        try await all("/roles", order: "name").map { role in
            Role(objectId: role["objectId"]?.string ?? "", name: role["name"]?.string ?? "")
        }
    }

    /// A role with its members.
    package func role(_ name: String) async throws -> Role {
        let id = try await id(of: .role, name)
        return Role(
            objectId: id, name: name, users: try await members(.user, of: id), roles: try await members(.role, of: id))
    }

    /// Creates a role that everybody may read and only the master key may change.
    package func addRole(_ name: String) async throws {
        _ = try await client.call(.post, "/roles", ["name": .string(name), "ACL": ["*": ["read": true]]])
    }

    package func removeRole(_ name: String) async throws {
        _ = try await client.call(.delete, "/roles/\(Self.path(try await id(of: .role, name)))")
    }

    /// Adds members to a role, or removes them.
    /// - Parameters:
    ///   - names: the names of users or roles.
    ///   - adds: false to remove the members.
    package func change(_ member: Member, _ names: [String], of role: String, adds: Bool) async throws {
        guard !names.isEmpty else { return }
        let id = try await id(of: .role, role)
        var pointers: [JSONValue] = []
        for name in names {
            pointers.append(Pointer(className: member.className, objectId: try await self.id(of: member, name)).json)
        }
        let operation: JSONObject = [
            "__op": adds ? "AddRelation" : "RemoveRelation", "objects": .array(pointers),
        ]
        _ = try await client.call(.put, "/roles/\(Self.path(id))", [member.rawValue: .object(operation)])
    }

    private func members(_ member: Member, of roleId: String) async throws -> [String] {
        let related: JSONObject = [
            "$relatedTo": [
                "object": Pointer(className: "_Role", objectId: roleId).json, "key": .string(member.rawValue),
            ]
        ]
        return try await all("/classes/\(member.className)", order: member.key, where: related).map {
            $0[member.key]?.string ?? ""
        }
    }

    // MARK: Requests

    /// The id of the user or the role with a name.
    /// - Throws: `ConfigurationError` if there is none.
    private func id(of member: Member, _ name: String) async throws -> String {
        let found = try await all(
            "/classes/\(member.className)", order: "objectId", where: [member.key: .string(name)])
        guard let id = found.first?["objectId"]?.string else {
            throw ConfigurationError("there is no \(member == .user ? "user" : "role") \(name)")
        }
        return id
    }

    /// All objects of a class, page by page.
    private func all(_ path: String, order: String, where conditions: JSONObject? = nil) async throws -> [JSONObject] {
        var objects: [JSONObject] = []
        while true {
            let filter = conditions.map { "&where=" + Self.query($0.jsonText) } ?? ""
            let page = try await client.call(
                .get, "\(path)?order=\(order)&limit=\(Self.pageMax)&skip=\(objects.count)\(filter)")
            let results = page["results"]?.array?.compactMap(\.object) ?? []
            objects += results
            guard results.count == Self.pageMax else { return objects }
        }
    }

    private static func path(_ text: String) -> String { PercentCoding.encodedPathSegment(text) }

    private static func query(_ text: String) -> String { PercentCoding.encodedPathSegment(text) }
}
