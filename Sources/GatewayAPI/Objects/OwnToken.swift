import ParseModel
import StoreService

/// Adds the caller's session token to the caller's own user and session, as Parse Server does. SDKs take the token of a user from the
/// latest answer that has shown the user, so an answer without it ends their session.
struct OwnToken {
    private let objectId: String
    private let token: String

    private init(of objectId: String, _ token: String) { (self.objectId, self.token) = (objectId, token) }

    /// The token for an object that is read by its id. The caller's own user shows it, whichever fields are requested,
    /// as in `handleGet` of Parse Server's `ClassesRouter`. The caller's own session shows it, too.
    static func read(
        _ className: String, _ selection: FieldSelection, _ principal: Principal, _ token: String?
    ) -> OwnToken? {
        guard className == "_User" else { return listed(className, selection, principal, token) }
        guard let token, let user = principal.user else { return nil }
        return OwnToken(of: user.objectId, token)
    }

    /// The token for a list. Only the caller's own session shows it, if the list shows the field `sessionToken`. A list
    /// of users shows no token.
    static func listed(
        _ className: String, _ selection: FieldSelection, _ principal: Principal, _ token: String?
    ) -> OwnToken? {
        guard className == "_Session", let token, let user = principal.user, selection.shows("sessionToken") else {
            return nil
        }
        return OwnToken(of: user.sessionId, token)
    }

    /// Appends `sessionToken` to the JSON text of an object, if the object is the caller's own.
    /// - Parameter bytes: the JSON built so far, which ends with the object's text.
    func append(to object: StoredObject, _ bytes: inout [UInt8]) {
        guard object.objectId.isExactly(objectId) else { return }
        bytes.removeLast()
        bytes += ",\"sessionToken\":".utf8
        bytes += JSONValue.string(token).jsonBytes
        bytes.append(UInt8(ascii: "}"))
    }
}
