import ParseModel
import Testing

/// A set of access rights for the tested object of `RightsWorld`, with the callers who may read and write the object
/// under it.
struct RightsScenario: Sendable, CustomTestStringConvertible {
    typealias Caller = RightsWorld.Caller

    let name: String
    /// The ACL of the object. A caller's name stands for the caller's id.
    let acl: JSONObject?
    let permissions: JSONObject?
    let readers: Set<Caller>
    let writers: Set<Caller>

    var testDescription: String { name }

    init(
        _ name: String, acl: JSONObject? = nil, permissions: JSONObject? = nil, readers: [Caller],
        writers: [Caller]? = nil
    ) {
        (self.name, self.acl, self.permissions) = (name, acl, permissions)
        self.readers = Set(readers + [.master])
        self.writers = Set((writers ?? readers) + [.master])
    }

    /// Class permissions that give every operation to the same entities.
    private static func all(_ entities: JSONObject) -> JSONObject {
        var permissions = JSONObject()
        for operation in ["find", "get", "count", "create", "update", "delete", "addField"] {
            permissions[operation] = .object(entities)
        }
        return permissions
    }

    private static let full: JSONValue = ["read": true, "write": true]
    private static let everyone: [Caller] = Caller.allCases
    private static let users: [Caller] = [.ada, .eve, .rob, .nina]
    private static let editors: [Caller] = [.rob, .nina]

    static let table: [RightsScenario] = [
        RightsScenario("no rights", readers: everyone),
        RightsScenario("ACL: public", acl: ["*": full], readers: everyone),
        RightsScenario("ACL: one user", acl: ["ada": full], readers: [.ada]),
        RightsScenario(
            "ACL: public reads, one user writes", acl: ["*": ["read": true], "ada": full], readers: everyone,
            writers: [.ada]),
        RightsScenario("ACL: a role", acl: ["role:Editors": full], readers: editors),
        RightsScenario("ACL: a role of a role", acl: ["role:Staff": full], readers: [.nina]),
        RightsScenario(
            "ACL: a user and a role", acl: ["eve": ["read": true], "role:Editors": full], readers: editors + [.eve],
            writers: editors),
        RightsScenario("ACL: nobody", acl: [:], readers: []),
        RightsScenario("ACL: writes only", acl: ["eve": ["write": true]], readers: [], writers: [.eve]),
        RightsScenario("permissions: nobody", permissions: all([:]), readers: []),
        RightsScenario("permissions: public", permissions: all(["*": true]), readers: everyone),
        RightsScenario("permissions: one user", permissions: all(["ada": true]), readers: [.ada]),
        RightsScenario("permissions: a role", permissions: all(["role:Editors": true]), readers: editors),
        RightsScenario("permissions: users", permissions: all(["requiresAuthentication": true]), readers: users),
        RightsScenario("permissions: a pointer", permissions: all(["pointerFields": ["owner"]]), readers: [.ada]),
        RightsScenario(
            "permissions: fields of readers",
            permissions: [
                "readUserFields": ["owner"], "update": ["role:Editors": true], "delete": ["role:Editors": true],
            ],
            readers: [.ada], writers: editors),
        RightsScenario(
            "permissions: fields of writers",
            permissions: ["writeUserFields": ["owner"], "find": ["*": true], "get": ["*": true], "count": ["*": true]],
            readers: everyone, writers: [.ada]),
        RightsScenario(
            "permissions: a pointer or a role", permissions: all(["pointerFields": ["owner"], "role:Editors": true]),
            readers: editors + [.ada]),
        RightsScenario(
            "both: a role and another user", acl: ["ada": full], permissions: all(["role:Editors": true]), readers: []),
        RightsScenario(
            "both: users and a role", acl: ["role:Editors": full], permissions: all(["requiresAuthentication": true]),
            readers: editors),
        RightsScenario(
            "both: a pointer and the same user", acl: ["ada": full], permissions: all(["pointerFields": ["owner"]]),
            readers: [.ada]),
        RightsScenario(
            "both: a pointer and another user", acl: ["eve": full], permissions: all(["pointerFields": ["owner"]]),
            readers: []),
    ]

    /// Gives these access rights to the tested object of a world.
    func apply(to world: RightsWorld) async throws {
        let named = { (object: JSONObject) in
            JSONObject(object.map { name, value in (Caller(rawValue: name).flatMap { world.ids[$0] } ?? name, value) })
        }
        try await world.setACL(acl.map { .object(named($0)) })
        try await world.permit(
            permissions.map { JSONObject($0.map { ($0.key, $0.value.object.map { .object(named($0)) } ?? $0.value) }) })
    }
}
