/// The keys of ACLs and class permissions: `*` (everybody), the id of a user, or `role:NAME`. Class permissions also
/// have keys such as `userField:NAME`, each with its own meaning.
package enum AccessEntity {
    package static let everybody = "*"
    private static let rolePrefix = "role:"
    private static let groups: Set<String> = [
        everybody, "authenticated", "currentUser", "pointerFields", "requiresAuthentication",
    ]

    /// Whether a key of an ACL or of class permissions cannot be a user's id, because it names a role or a group. Such
    /// ids are refused for users: a client can choose the id of an object, and a user with such an id would have the
    /// rights of that role or group.
    package static func isReserved(_ key: String) -> Bool {
        // Compares bytes, because `hasPrefix` compares characters, and a combining mark after the colon belongs to the
        // same character as the colon.
        key.utf8.starts(with: rolePrefix.utf8) || key.utf8.starts(with: "userField:".utf8)
            || groups.contains(key)
    }

    /// The name of the role that a key stands for; nil for another key.
    static func role(_ key: String) -> String? {
        guard key.utf8.starts(with: rolePrefix.utf8) else { return nil }
        return String(decoding: key.utf8.dropFirst(rolePrefix.utf8.count), as: UTF8.self)
    }

    /// The key that stands for a role.
    package static func ofRole(_ name: String) -> String { rolePrefix + name }
}

extension Principal {
    /// All keys that stand for the principal, for example its user id and `*`.
    package var entities: [String] {
        [AccessEntity.everybody] + (user?.entities ?? [])
    }

    /// Whether the key stands for the principal. The time does not depend on the number of the user's roles.
    package func acts(as key: String) -> Bool {
        if key == AccessEntity.everybody { return true }
        guard let entities = user?.entities, let found = entities.firstIndex(of: key) else { return false }
        return entities[found].isExactly(key)
    }

    /// The pointer to the user, for pointer permissions; nil without a user, and for a user whose id is reserved.
    package var userPointer: Pointer? {
        guard let user, !AccessEntity.isReserved(user.objectId) else { return nil }
        return Pointer(className: "_User", objectId: user.objectId)
    }
}
