import ParseModel
import StoreService

/// Checks clients' creates and updates of `_Session`, and sets the fields of a new session that clients cannot choose.
struct SessionWrites: Sendable {
    let sessions: Sessions

    /// The fields of a new session that only the gateway sets. The values of a client are ignored.
    private static let own = ["user", "sessionToken", "expiresAt", "createdWith"]

    /// Drops the id that a user has chosen for a new session, as Parse Server does.
    static func ignoreChosenId(in fields: inout JSONObject) { fields["objectId"] = nil }

    /// A new session of the caller. The master key may create any session, for example to import one with its token.
    /// - Throws: `ParseError` 105 (invalid field name) for an ACL, 209 (invalid session token) without a session.
    func created(_ body: JSONObject, _ terms: WriteTerms, _ request: RoutedRequest) throws(ParseError) -> WriteRequest {
        try Self.refuseACL(body)
        var (fields, terms) = (body, terms)
        fields["sessionToken"] = nil
        var change = AccountChange()
        if request.principal.writesEverything {
            if let token = body["sessionToken"]?.string, !token.isEmpty {
                change.session = NewSession(token: token, fields: [:])
            }
        } else {
            guard let user = request.principal.user else { throw .sessionRequired }
            fields.removeAll { name in Self.own.contains { $0 == name.prefix { $0 != "." } } }
            let session = sessions.new("create", by: nil, installationId: nil)
            fields["user"] = Pointer(className: "_User", objectId: user.objectId).json
            for (name, value) in session.fields { fields[name] = value }
            change.session = session
        }
        terms.account = change
        return .create(className: "_Session", body: fields, terms: terms)
    }

    /// - Throws: `ParseError` 105 (invalid field name) for an ACL and for a field that clients cannot change, 209
    ///   (invalid session token) without a session.
    func changed(
        _ sessionId: String, _ body: JSONObject, _ terms: WriteTerms, _ request: RoutedRequest
    ) throws(ParseError) -> WriteRequest {
        let principal = request.principal
        guard principal != .public else { throw .sessionRequired }
        try Self.refuseACL(body)
        let forbidden =
            ["user", "installationId", "sessionToken"]
            + (principal.writesEverything ? [] : ["expiresAt", "createdWith"])
        var fields = body
        if let user = principal.user, body["user"] == Pointer(className: "_User", objectId: user.objectId).json {
            fields["user"] = nil
        }
        for (name, _) in fields {
            let field = String(name.prefix { $0 != "." })
            if forbidden.contains(field) { throw ParseError(.invalidFieldName, "Invalid key name: \(field)") }
        }
        return .update(className: "_Session", objectId: sessionId, body: fields, terms: terms)
    }

    private static func refuseACL(_ body: JSONObject) throws(ParseError) {
        guard body["ACL"]?.isTruthy != true else {
            throw ParseError(.invalidFieldName, "Cannot set ACL on a Session.")
        }
    }
}
