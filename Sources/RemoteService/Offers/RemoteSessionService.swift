import ParseModel

/// Reads and ends the sessions of the remote's users.
package protocol RemoteSessionService: Sendable {
    /// What the remote says about the session of a token.
    /// - Returns: nil if the remote does not know the token, or the session has ended.
    /// - Throws: any other refusal, such as that of the gateway's keys, which says nothing about the session.
    func session(of token: String) async throws(RemoteError) -> RemoteSession?

    /// Ends the session of a token. An unknown token is no error.
    func endSession(of token: String) async throws(RemoteError)
}

/// A valid session of the remote.
package struct RemoteSession: Sendable, Hashable {
    /// The fields of the user, in Parse's JSON, without the token.
    package let user: JSONObject
    /// The id of the object in `_Session`; nil if the user may not read it.
    package let sessionId: String?
    /// The end of the session; nil for a session without an end, and if it is unknown.
    package let expiresAt: ParseDate?

    package init(user: JSONObject, sessionId: String?, expiresAt: ParseDate?) {
        self.user = user
        self.sessionId = sessionId
        self.expiresAt = expiresAt
    }

    package var userId: String { user["objectId"]?.string ?? "" }
}
