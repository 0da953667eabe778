import ParseModel

/// The users of the remote who have signed in to a replica, and their sessions. They stand in the store of the gateway itself, not
/// in those of the users' spaces.
package protocol PeopleStore: Sendable {
    func session(_ digest: SessionDigest) throws -> KnownSession?

    /// The sessions of a user that the remote has not refused: the open ones first, and of these the ones with the latest
    /// confirmation.
    func sessions(of userId: String) throws -> [KnownSession]

    /// The sessions that are logged out here and not yet at the remote.
    func loggedOutSessions() throws -> [KnownSession]

    /// The number of sessions in each state.
    func sessionCounts() throws -> [KnownSession.State: Int]

    /// The fields of a user as the remote has shown them at the last confirmation; nil for an unknown user.
    func user(_ userId: String) throws -> JSONObject?

    /// The ids of all users who have signed in.
    func userIds() throws -> [String]

    /// Adds a session and its user. Of a known session, changes the end, the time of the confirmation and the encrypted token, unless
    /// the session was logged out or refused.
    func save(_ session: KnownSession, user: JSONObject) async throws

    /// Notes that the remote has accepted the token of a session.
    func confirm(_ digest: SessionDigest, at time: ParseDate) async throws

    /// Changes the state of a session. The change is on disk when the call returns.
    func change(_ digest: SessionDigest, to state: KnownSession.State, at time: ParseDate) async throws

    /// Removes a session.
    func forget(_ digest: SessionDigest) async throws
}
