import ParseModel

/// The user whose space an API serves.
package struct SpaceUser: Sendable {
    package let objectId: String
    /// The fields of the user as the remote has shown them at the last confirmation of a session.
    package let fields: @Sendable () throws -> JSONObject

    package init(objectId: String, fields: @escaping @Sendable () throws -> JSONObject) {
        (self.objectId, self.fields) = (objectId, fields)
    }

    package var signedIn: SignedInUser { SignedInUser(objectId: objectId, roles: [], sessionId: "") }
}
