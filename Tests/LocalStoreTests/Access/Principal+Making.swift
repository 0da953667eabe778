import ParseModel

extension Principal {
    /// A signed-in user.
    static func signedIn(_ objectId: String, roles: Set<String> = []) -> Principal {
        .user(SignedInUser(objectId: objectId, roles: roles, sessionId: "session"))
    }
}
