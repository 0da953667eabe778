/// The keys of ACLs and class permissions.
package enum AccessEntity {
    /// Whether a key of an ACL or of class permissions is no user's id, because it names a role or a group.
    package static func isReserved(_ key: String) -> Bool {
        key.hasPrefix("role:") || key.hasPrefix("userField:")
            || ["*", "authenticated", "currentUser", "pointerFields", "requiresAuthentication"].contains(key)
    }
}
