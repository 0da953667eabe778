import GRDB
import ParseModel
import StoreService

extension LocalStore {
    package func restrictsFeed(for principal: Principal) -> Bool { access.restricts(principal) }

    package func present(_ principal: Principal) throws -> Principal? {
        guard let user = principal.user else { return principal }
        if configuration.isSite { return try LocalPeople(store: self).present(user).map(Principal.user) }
        return try read { try principal.present(in: $0, now: environment.now(), configuration) }
    }

    /// The principal's rights on a class.
    func rules(of className: String, as principal: Principal) throws -> AccessRules {
        AccessRules(
            principal,
            try access.rights.rights(of: className) {
                // A snapshot that the caller already has could be older than the last change of the permissions.
                try read { try access.permissions(in: $0).rights(of: className) }
            })
    }
}

extension Principal {
    /// The principal with the present roles of its user; nil without a valid session.
    fileprivate func present(
        in db: Database, now: ParseDate, _ configuration: StoreConfiguration
    ) throws -> Principal? {
        guard let user, let session = try SessionTable(db: db).session(id: user.sessionId),
            session.expiresAt.map({ $0 > now }) ?? true, try configuration.mayWork(user.objectId, in: db)
        else { return nil }
        let roles = try RoleMembership(db: db).roles(of: user.objectId)
        return .user(SignedInUser(objectId: user.objectId, roles: roles, sessionId: user.sessionId))
    }
}

extension StoreConfiguration {
    /// Whether sessions of a user count: the user exists and is not locked, that is, has another ACL than `{}`.
    func mayWork(_ userId: String, in db: Database) throws -> Bool {
        guard let user = try StoredObject("_User", userId, in: db) else { return false }
        return admits(try user.fields(of: "_User"))
    }

    /// Whether sessions of a user with these fields count.
    func admits(_ user: JSONObject) -> Bool { !refusesLockedUsers || user["ACL"]?.object?.isEmpty != true }
}
