import GRDB
import ParseModel
import StoreService

/// The rights that a reader had at each entry of the change feed after a position. They are computed backwards from the
/// present rights, because each recorded change of rights contains the rights before it.
final class RightsTimeline {
    private struct Change {
        let number: Int64
        /// The class whose permissions have changed; nil for a change of roles.
        let className: String?
        let permissions: JSONObject?
        /// The reader's roles before the change; nil if the change did not concern the reader's roles.
        let roles: Set<String>?
        let endsPositions: Bool
    }

    private struct Key: Hashable {
        let className: String
        /// The number of changes of rights before the entry.
        let place: Int
    }

    private let permissions: PermissionTable
    private let changes: [Change]
    private let principals: [Principal]
    private var known: [Key: AccessRules] = [:]

    /// - Parameter since: the number after which the reader continues. It may lie between the entries of one change of
    ///   rights.
    /// - Throws: `StoreError.feedTrimmed` if a change of rights after `since` requires the reader to start over.
    init(of principal: Principal, since: Int64, newest: Int64, from permissions: PermissionTable) throws {
        self.permissions = permissions
        let db = permissions.db
        let all = try db.rows(
            """
            SELECT number, class, permissions, roles, ends_positions FROM rights_changes
            WHERE number > ?1
                OR number >= (SELECT rights_change FROM changes WHERE number > ?1 ORDER BY number LIMIT 1)
            ORDER BY number
            """, [since]
        ) { row in
            let className = row.textIfAny(1)
            let roles = try row.object(3)
            let own = principal.user.flatMap { roles?[$0.objectId]?.array }
            // A change of roles without stored roles concerned too many users. It may concern any user.
            let concerns = className != nil || own != nil || (roles == nil && principal.user != nil)
            return Change(
                number: row.integer(0), className: className, permissions: try row.object(2),
                roles: own.map { Set($0.compactMap(\.string)) }, endsPositions: row.bool(4) && concerns)
        }
        changes = all
        // The roles are read in the snapshot of the feed, because they may have changed since the request began.
        var present = principal
        if let user = principal.user, all.contains(where: { $0.roles != nil }) {
            present = .user(
                SignedInUser(
                    objectId: user.objectId, roles: try RoleMembership(db: db).roles(of: user.objectId),
                    sessionId: user.sessionId))
        }
        var principals = [present]
        for change in all.reversed() { principals.append(Self.principal(principals.last ?? present, before: change)) }
        self.principals = principals.reversed()
        for (place, change) in all.enumerated() where change.endsPositions {
            guard try endsPosition(change, at: place) else { continue }
            throw StoreError.feedTrimmed(oldest: change.number + 1, newest: newest)
        }
    }

    private static func principal(_ after: Principal, before change: Change) -> Principal {
        guard let user = after.user, let roles = change.roles else { return after }
        return .user(SignedInUser(objectId: user.objectId, roles: roles, sessionId: user.sessionId))
    }

    private func endsPosition(_ change: Change, at place: Int) throws -> Bool {
        guard let className = change.className else { return true }
        return try rules(of: className, at: place).verdict(on: .list)
            != rules(of: className, at: place + 1).verdict(on: .list)
    }

    /// The reader's present rights on a class.
    func presentRules(of className: String) throws -> AccessRules { try rules(of: className, at: changes.count) }

    /// The reader's rights on a class at an entry.
    /// - Parameter isBefore: whether to return the rights just before the change of rights with this number, instead of
    ///   those after it.
    func rules(of className: String, at number: Int64, isBefore: Bool = false) throws -> AccessRules {
        try rules(of: className, at: changes.count { isBefore ? $0.number < number : $0.number <= number })
    }

    private func rules(of className: String, at place: Int) throws -> AccessRules {
        let key = Key(className: className, place: place)
        if let rules = known[key] { return rules }
        let permissions: JSONObject?
        if let next = changes[place...].first(where: { $0.className == className }) {
            permissions = next.permissions
        } else {
            permissions = try self.permissions.permissions(of: className)
        }
        let rules = AccessRules(principals[place], ClassRights(className, permissions: permissions))
        known[key] = rules
        return rules
    }
}
