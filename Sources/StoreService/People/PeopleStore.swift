import ParseModel
import SyncModel

/// The users of the remote who have signed in to a replica, and their sessions. The gateway's own store keeps them, and
/// not the separate stores of single users.
package protocol PeopleStore: OfflineLogInStore {
    // MARK: Sessions

    func session(_ digest: SessionDigest) throws -> KnownSession?

    /// The sessions of a user that have not ended: open ones first, and among these the most recently confirmed by the
    /// remote first.
    func sessions(of userId: String) throws -> [KnownSession]

    /// The number of sessions in each state.
    func sessionCounts() throws -> [KnownSession.State: Int]

    /// Adds a session and its user. For a known session, updates its end, the time of its confirmation and the
    /// encrypted token, unless the session was logged out or refused.
    func save(_ session: KnownSession, user: JSONObject) async throws

    /// Records that the remote has accepted the token of a session.
    func confirm(_ digest: SessionDigest, at time: ParseDate) async throws

    /// Changes the state of a session. The change is on disk when the call returns.
    func change(_ digest: SessionDigest, to state: KnownSession.State, at time: ParseDate) async throws

    // MARK: Log-outs

    /// The sessions in a state, those with the earliest change of the state first.
    func sessions(_ state: KnownSession.State) throws -> [KnownSession]

    /// Log-outs that the remote has not been told, of sessions that do not belong to a known user, oldest first.
    func unsentLogOuts() throws -> [UnsentLogOut]

    func unsentLogOut(_ digest: SessionDigest) throws -> UnsentLogOut?

    /// Adds the log-out of a session that does not belong to a known user. It is on disk when the call returns.
    /// - Throws: `StoreError.notPossible` if the store already has `UnsentLogOut.countMax` such log-outs.
    func add(_ logOut: UnsentLogOut) async throws

    /// Removes a session, or the log-out of a session that does not belong to a known user.
    func forget(_ digest: SessionDigest) async throws

    // MARK: Users

    /// The fields of a user, from the remote's last answer about this user; nil for an unknown user.
    func user(_ userId: String) throws -> JSONObject?

    /// Whether a user of a site replica (a replica for several users) may use it: the replica has the user's row, and
    /// its ACL is not empty. Always true in other stores.
    func mayWork(_ userId: String) throws -> Bool

    /// Whether a user of a site replica is locked out only by a local change that the remote does not have yet, such as
    /// the deletion of the user. False for a user who may work.
    func isLeaving(_ userId: String) throws -> Bool

    /// Records that the remote has accepted an open session, together with the session's end and the user's fields. Has
    /// no effect on a session that has ended.
    func confirm(_ digest: SessionDigest, at time: ParseDate, expiresAt: ParseDate?, user: JSONObject) async throws

    /// Whether a site replica has no row of a user in `_User`, or an older one than the remote's last answer about this
    /// user.
    func lacksRow(of userId: String) throws -> Bool

    /// Stores the remote's row of a user in a site replica, as a pull does, unless the stored row is at least as new.
    func take(_ row: RemoteRecord) async throws

    /// The error with which the author's present rights forbid a write; nil if the author may write. The rights come
    /// from the last known state of the object on the remote.
    func refusal(of write: WriteRequest, by userId: String) throws -> ParseError?

    /// The user of a session of a site replica, with the roles that the user has now.
    /// - Returns: nil if the remote no longer has the user, or has locked the user out by the ACL `{}`.
    func signedIn(_ userId: String, by session: SessionDigest) throws -> SignedInUser?

    /// Counts a user's changes in a site replica: changes that wait to be sent or have an unknown outcome, refused
    /// changes, and open conflicts.
    func work(of userId: String) throws -> (pending: Int, rejections: Int, conflicts: Int)

    /// The names of a user's roles, as the store knows them now.
    func roles(of userId: String) throws -> Set<String>

    /// The ids of all users who have signed in.
    func userIds() throws -> [String]

    /// Records that a user has logged in or sent a request.
    func noteUse(by userId: String, at time: ParseDate) async throws

    /// The time of each user's last log-in or request, as recorded by `noteUse` and `save`.
    func lastUses() throws -> [String: ParseDate]

    /// Removes a user, all sessions of the user and the password verifier. Log-outs that the remote has not been told
    /// stay, as unsent log-outs.
    func forget(userId: String) async throws

    /// Removes a user of a site replica, all sessions of the user and the password verifier. Does nothing if the user
    /// has logged in or sent a request since `time`, or has changes or conflicts.
    /// - Returns: whether the user is removed.
    func forget(userId: String, unusedSince time: ParseDate) async throws -> Bool

    // MARK: The pending work of a site replica's users

    /// All changes of a user that the remote does not have, in any phase and with their files, and the user's open
    /// conflicts. The lists have no maximum length.
    func waitingWork(of userId: String) async throws -> WaitingWork

    /// Removes a user, all sessions of the user, the password verifier and the user's changes. The objects lose these
    /// changes, and keep the changes of other users.
    /// - Parameter check: throws an error if the work must not be dropped. The user then stays.
    func forget(userId: String, withWork check: @escaping @Sendable (WaitingWork) throws -> Void) async throws

    // MARK: The file

    /// Makes all readers of the change feed start over, because their rights have changed in a way that the feed has
    /// not recorded.
    func endFeedPositions() async throws

    /// The value that the setting `people` had when the store was last opened; nil if none was recorded.
    func mode() throws -> String?

    func setMode(_ mode: String) async throws
}

/// A log-out that the remote has not been told, of a session that does not belong to a known user.
package struct UnsentLogOut: Sendable, Hashable {
    package let digest: SessionDigest
    /// The id of the user who had the session; nil for a session that was never known here.
    package let userId: String?
    /// The time of the log-out.
    package let since: ParseDate
    /// The encrypted token.
    package let sealed: [UInt8]

    package init(digest: SessionDigest, userId: String?, since: ParseDate, sealed: [UInt8]) {
        self.digest = digest
        self.userId = userId
        self.since = since
        self.sealed = sealed
    }

    /// The maximum number of entries in a store. A limit is needed because every client can log out tokens that do not
    /// exist.
    package static let countMax = 10_000
}
