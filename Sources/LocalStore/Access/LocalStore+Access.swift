import ParseModel

extension LocalStore {
    package func restrictsFeed(for principal: Principal) -> Bool { access.restrictsFeed(for: principal) }

    package func present(_ principal: Principal) throws -> Principal? {
        guard let user = principal.user else { return principal }
        return try read { try RoleMembership(db: $0).present(user, now: environment.now()).map(Principal.user) }
    }

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
