import GRDB
import ParseModel
import StoreService
import SyncModel

/// Applies the rules for writes of `_User` and `_Session` in a standalone store, inside the transaction of the write.
struct AccountWrites {
    private let transaction: StoreTransaction

    private var db: Database { transaction.db }
    private var keys: UserKeyTable { UserKeyTable(db: db) }

    init(_ transaction: StoreTransaction) { self.transaction = transaction }

    // MARK: Before the write

    /// Adds the default ACL and the given `authData` to the operations that create a user.
    func complete(
        _ operations: inout FieldOperations, creating object: Pointer, _ change: AccountChange?
    ) throws(ParseError) {
        guard object.className == "_User", let change else { return }
        var acl = JSONObject()
        if case .set(.object(let given))? = operations["ACL"] {
            acl = given
        } else if change.isReadableByAll {
            acl["*"] = ["read": true]
        }
        acl[object.objectId] = ["read": true, "write": true]
        operations["ACL"] = .set(.object(acl))
        link(&operations, change.authData, on: [:])
    }

    /// Keeps the user's own read and write rights in an ACL that the write sets for a `_User` row. Parse Server does
    /// this for each write without the master key. A replica does it, too, so that clients see the ACL that the remote
    /// will store.
    func keepOwnRights(_ operations: inout FieldOperations, updating object: Pointer) {
        guard object.className == "_User", case .set(.object(var acl))? = operations["ACL"] else { return }
        let isMaster =
            if transaction.access.isEnforced {
                transaction.principal.writesEverything
            } else {
                transaction.store.seesEverything
            }
        guard !isMaster else { return }
        acl[object.objectId] = ["read": true, "write": true]
        operations["ACL"] = .set(.object(acl))
    }

    /// Adds the changes of `authData` to the operations that update a user.
    func complete(
        _ operations: inout FieldOperations, updating object: Pointer, _ fields: JSONObject, _ change: AccountChange?
    ) throws(ParseError) {
        guard object.className == "_User" else { return }
        if let change { link(&operations, change.authData, on: fields["authData"]?.object ?? [:]) }
    }

    private func link(_ operations: inout FieldOperations, _ links: JSONObject, on present: JSONObject) {
        guard !links.isEmpty else { return }
        var authData = present
        for (provider, data) in links { authData[provider] = data.isNull ? JSONValue?.none : data }
        operations["authData"] = authData.isEmpty ? .delete : .set(.object(authData))
    }

    // MARK: After the write

    /// Checks the unique fields of a user, and stores the parts of the write that are not fields.
    /// - Parameter operations: the operations of the write. `fields` is their result.
    /// - Throws: `ParseError` 202 (username taken), 203 (email taken), 208 (account already linked).
    func finish(
        _ object: Pointer, _ fields: JSONObject, _ operations: FieldOperations, _ change: AccountChange?
    ) throws {
        if object.className == "_User" {
            try finishUser(object.objectId, fields, operations, change)
        } else {
            try finishSession(object.objectId, fields, change)
        }
    }

    private func finishUser(
        _ userId: String, _ fields: JSONObject, _ operations: FieldOperations, _ change: AccountChange?
    ) throws {
        let checks: [(field: String, key: UserKeyTable.Key, error: ParseError)] = [
            ("username", .username, .usernameTaken), ("email", .email, .emailTaken),
        ]
        for (field, key, error) in checks {
            guard operations[field] != nil, let text = fields[field]?.string, !text.isEmpty else { continue }
            if try keys.isTaken(key, text, besides: userId) { throw error }
        }
        let links = operations["authData"] == nil ? nil : fields["authData"]?.object
        if let id = links?["anonymous"]?.object?["id"]?.string, try isLinked(id, besides: userId) {
            throw ParseError.alreadyLinked
        }
        try keys.set(fields, of: userId)
        guard let change else { return }
        if let password = change.password {
            try UserSecretTable(db: db).set(password, of: userId, now: transaction.now)
        }
        if change.endsSessions { try end(SessionTable(db: db).sessions(of: userId)) }
        if let session = change.session { _ = try open(session, of: userId) }
    }

    /// Whether another user has the anonymous id. As in Parse Server, a user who is locked out by the ACL `{}` is ignored, except
    /// in requests with the master key.
    private func isLinked(_ anonymousId: String, besides userId: String) throws -> Bool {
        try keys.users(.anonymous, anonymousId).contains { other in
            guard other != userId, !transaction.principal.writesEverything else { return other != userId }
            return try StoredObject("_User", other, in: db)?.fields(of: "_User")["ACL"]?.object?.isEmpty != true
        }
    }

    private func finishSession(_ sessionId: String, _ fields: JSONObject, _ change: AccountChange?) throws {
        guard let session = change?.session, let user = fields["user"].flatMap({ Pointer($0) }) else {
            return try SessionTable(db: db).setEnd(of: sessionId, fields["expiresAt"].flatMap { ParseDate($0) })
        }
        try register(session.token, sessionId, fields, of: user.objectId)
    }

    /// Ends the sessions of a deleted user.
    func didDelete(_ object: Pointer, sessions: [String]) throws {
        if object.className == "_User" { try end(sessions) }
    }

    /// The ids of the sessions that end when the object is deleted. Must be called before the deletion, which deletes
    /// the tokens.
    func sessionsEnding(with object: Pointer) throws -> [String] {
        object.className == "_User" ? try SessionTable(db: db).sessions(of: object.objectId) : []
    }

    // MARK: Sessions

    /// Creates an object in `_Session` for a user.
    /// - Returns: its id.
    func open(_ session: NewSession, of userId: String) throws -> String {
        var fields = JSONObject()
        fields["user"] = Pointer(className: "_User", objectId: userId).json
        for (name, value) in session.fields { fields[name] = value }
        try ClassTable(db: db).ensure("_Session")
        var object = LocalObject(className: "_Session", objectId: transaction.environment.objectId())
        object.life.view = ObjectState(createdAt: transaction.now, updatedAt: transaction.now, fields: fields)
        try object.save(in: transaction)
        try register(session.token, object.life.objectId, fields, of: userId)
        return object.life.objectId
    }

    /// The age after which an ended session is deleted.
    private static let keptAfterEnd = Duration.seconds(30 * 86_400)
    /// The maximum number of old sessions that are deleted when a session is opened.
    private static let droppedMax = 10

    /// Stores the token of a new session, and ends the user's other sessions of the same installation.
    private func register(
        _ token: String, _ sessionId: String, _ fields: JSONObject, of userId: String
    ) throws {
        let table = SessionTable(db: db)
        let installationId = fields["installationId"]?.string
        if let installationId {
            try end(table.sessions(of: userId, installationId: installationId))
        }
        try end(table.sessions(endedBefore: transaction.now - Self.keptAfterEnd, max: Self.droppedMax))
        try table.set(
            digest: SessionDigest(of: token), sessionId, userId: userId, installationId: installationId,
            expiresAt: fields["expiresAt"].flatMap { ParseDate($0) })
    }

    func end(_ sessions: [String]) throws {
        for id in sessions {
            // Loads the session without its fields, so that a session with damaged fields can end, too.
            guard var object = try LocalObject(damaged: "_Session", id, in: db) else { continue }
            try object.save(in: transaction)
        }
    }
}
