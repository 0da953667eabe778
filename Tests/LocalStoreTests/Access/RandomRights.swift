import ParseModel

/// Draws callers, permissions and ACLs that have much to do with each other: few users and few roles.
struct RandomRights {
    let random: RandomQueries

    private static let users = ["u0", "u1", "u2", "role:r0"]
    private static let roles = ["r0", "r1", "r2"]
    /// Fields that point to users, and hold arrays of such pointers.
    private static let pointers = ["owner", "editors"]
    static let operations = ["find", "get", "count", "create", "update", "delete", "addField"]

    func principal() -> Principal {
        switch random.below(12) {
        case 0: .master
        case 1, 2: .public
        default:
            .user(
                SignedInUser(
                    objectId: random.pick(Self.users), roles: Set(Self.roles.filter { _ in random.chance(3) }),
                    sessionId: "s"))
        }
    }

    private func user() -> JSONValue { Pointer(className: "_User", objectId: random.pick(Self.users)).json }

    private func entity() -> String {
        random.chance(5) ? "*" : random.chance(2) ? random.pick(Self.users) : "role:" + random.pick(Self.roles)
    }

    // MARK: Objects

    /// The fields of an object that give rights.
    func fields() -> JSONObject {
        var fields = JSONObject()
        if !random.chance(3) { fields["ACL"] = .object(acl()) }
        if !random.chance(3) { fields["owner"] = user() }
        if !random.chance(3) { fields["editors"] = .array(random.some(upTo: 3, user)) }
        return fields
    }

    private func acl() -> JSONObject {
        var acl = JSONObject()
        for _ in 0..<random.below(4) {
            var entry = JSONObject()
            if !random.chance(4) { entry["read"] = true }
            if !random.chance(3) { entry["write"] = true }
            acl[entity()] = .object(entry)
        }
        return acl
    }

    // MARK: Classes

    /// The permissions of a class; nil for none.
    func permissions() -> JSONObject? {
        guard !random.chance(5) else { return nil }
        var permissions = JSONObject()
        for operation in Self.operations where !random.chance(12) { permissions[operation] = .object(entities()) }
        for group in ["readUserFields", "writeUserFields"] where random.chance(4) {
            permissions[group] = .array(random.some(upTo: 2) { .string(random.pick(Self.pointers)) })
        }
        if random.chance(2) {
            var sets = JSONObject()
            for entity in ["*", "authenticated", "role:r0", "u1", "userField:owner", "userField:editors"]
            where random.chance(2) {
                sets[entity] = .array(
                    ["num", "obj", "geo", "owner"].filter { _ in random.chance(2) }.map(JSONValue.string))
            }
            permissions["protectedFields"] = .object(sets)
        }
        return permissions
    }

    private func entities() -> JSONObject {
        var entities = JSONObject()
        if random.chance(2) { entities["*"] = true }
        if random.chance(5) { entities["requiresAuthentication"] = true }
        if random.chance(3) { entities["pointerFields"] = .array([.string(random.pick(Self.pointers))]) }
        if random.chance(3) { entities[entity()] = true }
        return entities
    }
}
