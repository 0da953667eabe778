import ParseModel

/// Reads and ends the sessions of the remote's users.
package protocol RemoteSessionService: Sendable {
    /// Reads the session of a token.
    /// - Returns: nil if the remote does not know the token, or the session has ended.
    /// - Throws: any other refusal, for example of the gateway's keys. Such a refusal does not tell whether the session
    ///   is valid.
    func session(of token: String) async throws(RemoteError) -> RemoteSession?

    /// Ends the session of a token. Succeeds if the remote does not know the token.
    func endSession(of token: String) async throws(RemoteError)
}

/// A valid session of a user on the remote.
package struct RemoteSession: Sendable, Hashable {
    /// The fields of the user, in Parse's JSON, without the token.
    package let user: JSONObject
    /// The id of the object in `_Session`; nil if the user may not read it.
    package let sessionId: String?
    /// The time at which the session ends; nil if it does not end, or if the time is unknown.
    package let expiresAt: ParseDate?

    package init(user: JSONObject, sessionId: String?, expiresAt: ParseDate?) {
        self.user = user
        self.sessionId = sessionId
        self.expiresAt = expiresAt
    }

    package var userId: String { user["objectId"]?.string ?? "" }
}
