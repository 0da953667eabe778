import ParseModel

extension LocalStore {
    /// The principal's rights on a class.
    func rules(of className: String, as principal: Principal) throws -> AccessRules {
        AccessRules(
            principal,
            try access.rights.rights(of: className) {
                // A snapshot that the caller already has could be older than the last change of the permissions.
                try readOnce { try SchemaTable(db: $0).permissions(of: className) }
            })
    }
}
