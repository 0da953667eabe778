/// The names in ACLs and class permissions: `*` (everybody), the id of a user, or `role:NAME`.
package enum Entity {
    package static let everybody = "*"
    private static let rolePrefix = "role:"

    /// The name of the role that an entity stands for; nil for another entity.
    static func role(_ entity: String) -> String? {
        // `hasPrefix` compares characters, and a combining mark after the colon is part of the same character.
        guard entity.utf8.starts(with: rolePrefix.utf8) else { return nil }
        return String(decoding: entity.utf8.dropFirst(rolePrefix.utf8.count), as: UTF8.self)
    }

    static func ofRole(_ name: String) -> String { rolePrefix + name }

    /// Whether a name cannot be the id of a user, because it stands for a role or for a group of users. A client can choose the id
    /// of an object: with the id `role:admin`, a user would have the rights of that role.
    package static func isReserved(_ name: String) -> Bool {
        role(name) != nil || name.utf8.starts(with: "userField:".utf8) || groups.contains(name)
    }

    private static let groups: Set<String> = [
        everybody, "authenticated", "currentUser", "pointerFields", "requiresAuthentication",
    ]
}

extension Principal {
    /// All entities as which the principal acts.
    package var entities: [String] {
        guard let user else { return [Entity.everybody] }
        return [Entity.everybody] + (Entity.isReserved(user.objectId) ? [] : [user.objectId])
            + user.roles.map(Entity.ofRole)
    }

    /// Whether the principal acts as an entity. The time does not depend on the number of the user's roles.
    package func acts(as entity: String) -> Bool {
        if entity == Entity.everybody { return true }
        guard let user else { return false }
        guard let role = Entity.role(entity) else { return user.objectId.isExactly(entity) }
        return user.roles.firstIndex(of: role).map { user.roles[$0].isExactly(role) } ?? false
    }

    /// The pointer to the user, for pointer permissions; nil without a user, and for a user whose id cannot be an entity.
    package var userPointer: Pointer? {
        guard let user, !Entity.isReserved(user.objectId) else { return nil }
        return Pointer(className: "_User", objectId: user.objectId)
    }
}
