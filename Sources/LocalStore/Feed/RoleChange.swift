import GRDB
import ParseModel
import SyncModel

/// A comparison of the roles of users before and after a write of `_Role`. It reads the roles before the write, for all
/// users whose roles the write may change. `finish` reads them again after the write.
struct RoleChange {
    private let changes: RightsChanges
    /// The roles before the write, by user; nil if there are too many users.
    private let before: [String: Set<String>]?

    /// The maximum number of users whose roles are compared.
    private static let usersMax = 1000

    /// Reads the roles before a write in a standalone store.
    /// - Parameters:
    ///   - role: the id of the written role.
    ///   - operations: the changes of the role; nil for its deletion.
    init(_ role: String, _ operations: FieldOperations?, in changes: RightsChanges) throws {
        var users: Set<String> = []
        var roles: Set<String> = []
        if let operations {
            for (field, change) in operations.relationChanges {
                let ids = change.added + change.removed
                if field == "users" { users.formUnion(ids) }
                if field == "roles" { roles.formUnion(ids) }
            }
        } else {
            roles.insert(role)
        }
        try self.init(of: users, below: roles, in: changes)
    }

    /// Reads the roles of users before a sync changes the stored row of a role in a replica.
    /// - Parameters:
    ///   - object: the role after the change.
    ///   - storedId: the id of the role before the change.
    ///   - list: the new members of a relation of the role; nil for another change.
    /// - Returns: nil for objects of other classes, and in a store that does not enforce rights.
    init?(
        saving object: ObjectLife, storedAs storedId: String, replacing list: BaseMembers?,
        in changes: RightsChanges
    ) throws {
        guard object.className == "_Role", changes.access.isEnforced else { return nil }
        var users: Set<String> = []
        var roles: Set<String> = [object.objectId, storedId]
        let pending = PendingMembers(steps: object.shownSteps, hasBase: object.base != nil).decided.keys
        let stored = try changes.db.rows(
            "SELECT field, member_id FROM relation_members WHERE class = '_Role' AND id = ? AND in_base <> in_view",
            [storedId]
        ) { ($0.text(0), $0.text(1)) }
        let replaced = try list.map { list in
            try RelationMembers(db: changes.db).difference(of: list).map { (list.field, $0) }
        }
        for (field, id) in stored + pending.map({ ($0.field, $0.pointer.objectId) }) + (replaced ?? []) {
            if field == "users" { users.insert(id) }
            if field == "roles" { roles.insert(id) }
        }
        try self.init(of: users, below: roles, in: changes)
    }

    /// Reads the roles before a purge of all roles.
    init(purgingRolesIn changes: RightsChanges) throws {
        let roles = try changes.db.texts("SELECT id FROM objects WHERE class = '_Role' AND view IS NOT NULL")
        try self.init(of: [], below: Set(roles), in: changes)
    }

    private init(of users: Set<String>, below roles: Set<String>, in changes: RightsChanges) throws {
        self.changes = changes
        let users = users.union(try Self.users(below: roles, in: changes.db))
        let membership = RoleMembership(db: changes.db)
        before =
            users.count > Self.usersMax
            ? nil : Dictionary(uniqueKeysWithValues: try users.map { ($0, try membership.roles(of: $0)) })
    }

    /// Records the users whose roles have changed in the change feed. Called after the write.
    /// - Parameter isCertain: whether the members or the role itself have certainly changed. Used only if there are too
    ///   many users for a comparison.
    func finish(isCertain: Bool = true) throws {
        guard let before else {
            if isCertain { try changes.record(rolesBefore: nil, changed: []) }
            return
        }
        let membership = RoleMembership(db: changes.db)
        var differing: [String: Set<String>] = [:]
        var changed: Set<String> = []
        for (user, roles) in before {
            let difference = try membership.roles(of: user).symmetricDifference(roles)
            guard !difference.isEmpty else { continue }
            differing[user] = roles
            changed.formUnion(difference)
        }
        if !differing.isEmpty { try changes.record(rolesBefore: differing, changed: changed) }
    }

    /// The ids of the users who have one of the roles: the members of these roles, and the members of all roles that
    /// inherit these roles through the relation `roles`, at any depth. At most `usersMax` + 1 ids.
    private static func users(below roles: Set<String>, in db: Database) throws -> [String] {
        guard !roles.isEmpty else { return [] }
        return try db.texts(
            """
            WITH RECURSIVE below (id) AS (
                SELECT value FROM json_each(?)
                UNION
                SELECT m.member_id FROM below JOIN relation_members m ON m.class = '_Role' AND m.id = below.id
                    AND m.field = 'roles' AND m.member_class = '_Role' AND m.in_view
            )
            SELECT DISTINCT m.member_id FROM below JOIN relation_members m ON m.class = '_Role' AND m.id = below.id
                AND m.field = 'users' AND m.member_class = '_User' AND m.in_view
            LIMIT ?
            """, [JSONValue.array(roles.sorted().map(JSONValue.string)).jsonText, usersMax + 1])
    }
}
