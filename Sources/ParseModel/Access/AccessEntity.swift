/// The keys of ACLs and class permissions.
package enum AccessEntity {
    /// Whether a key of an ACL or of class permissions is no user's id, because it names a role or a group.
    package static func isReserved(_ key: String) -> Bool {
        // `hasPrefix` compares characters, and a combining mark after the colon is part of the same character.
        key.utf8.starts(with: "role:".utf8) || key.utf8.starts(with: "userField:".utf8)
            || ["*", "authenticated", "currentUser", "pointerFields", "requiresAuthentication"].contains(key)
    }
}
