import ParseModel

extension LocalStore {
    package func restrictsFeed(for principal: Principal) -> Bool { access.restricts(principal) }

    package func present(_ principal: Principal) throws -> Principal? {
        guard let user = principal.user else { return principal }
        return try read { db in
            guard let session = try SessionTable(db: db).session(id: user.sessionId),
                session.expiresAt.map({ $0 > environment.now() }) ?? true
            else { return nil }
            let roles = try RoleMembership(db: db).roles(of: user.objectId)
            return .user(SignedInUser(objectId: user.objectId, roles: roles, sessionId: user.sessionId))
        }
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
