import ParseModel
import SyncModel

/// The users of the remote who have signed in to a replica, and their sessions. They are kept in the store of the gateway itself,
/// and not in those of the users' spaces.
package protocol PeopleStore: OfflineLogInStore {
    // MARK: Sessions

    func session(_ digest: SessionDigest) throws -> KnownSession?

    /// The sessions of a user that have not ended: the open ones first, and of these the ones with the latest confirmation.
    func sessions(of userId: String) throws -> [KnownSession]

    /// The number of sessions in each state.
    func sessionCounts() throws -> [KnownSession.State: Int]

    /// Adds a session and its user. If the session is known, updates its end, the time of its confirmation and the
    /// encrypted token, unless the session was logged out or refused.
    func save(_ session: KnownSession, user: JSONObject) async throws

    /// Notes that the remote has accepted the token of a session.
    func confirm(_ digest: SessionDigest, at time: ParseDate) async throws

    /// Changes the state of a session. The change is on disk when the call returns.
    func change(_ digest: SessionDigest, to state: KnownSession.State, at time: ParseDate) async throws

    // MARK: Log-outs

    /// The sessions in a state, those with the earliest change of the state first.
    func sessions(_ state: KnownSession.State) throws -> [KnownSession]

    /// The log-outs of sessions without a known user that the remote has not been told, oldest first.
    func unsentLogOuts() throws -> [UnsentLogOut]

    func unsentLogOut(_ digest: SessionDigest) throws -> UnsentLogOut?

    /// Adds the log-out of a session without a known user. It is on disk when the call returns.
    /// - Throws: `StoreError.notPossible` if the store has `UnsentLogOut.countMax` of them.
    func add(_ logOut: UnsentLogOut) async throws

    /// Removes a session, or the log-out of one without a known user.
    func forget(_ digest: SessionDigest) async throws

    // MARK: Users

    /// The fields of a user as the remote has shown them at the last confirmation; nil for an unknown user.
    func user(_ userId: String) throws -> JSONObject?

    /// Whether the stored row of a user exists and has no empty ACL, in a site replica. True in the stores of other
    /// gateways.
    func mayWork(_ userId: String) throws -> Bool

    /// Whether only an unsent local change, and not the remote's row, forbids a user of a site replica to work here.
    /// False for users who may work.
    func isLeaving(_ userId: String) throws -> Bool

    /// Notes that the remote has accepted an open session, and shown its end and its user. Has no effect on a session that has ended.
    func confirm(_ digest: SessionDigest, at time: ParseDate, expiresAt: ParseDate?, user: JSONObject) async throws

    /// Whether a site replica's row of a user is missing, or older than the user's data in the last confirmation of a
    /// session.
    func lacksRow(of userId: String) throws -> Bool

    /// Stores the remote's row of a user in a site replica, as a pull does, unless the known row is as new.
    func take(_ row: RemoteRecord) async throws

    /// The error with which the present rights of its author refuse a write; nil if the author may write. The rights
    /// follow the remote's state of the object.
    func refusal(of write: WriteRequest, by userId: String) throws -> ParseError?

    /// The user of a session of a site replica, with the present roles.
    /// - Returns: nil if the remote no longer has the user, or has locked the user out by the ACL `{}`.
    func signedIn(_ userId: String, by session: SessionDigest) throws -> SignedInUser?

    /// The numbers of a user's changes in a site replica: those that wait to be sent or have an unknown outcome, the refused ones, and
    /// the open conflicts.
    func work(of userId: String) throws -> (pending: Int, rejections: Int, conflicts: Int)

    /// The names of a user's roles, as the store knows them now.
    func roles(of userId: String) throws -> Set<String>

    /// The ids of all users who have signed in.
    func userIds() throws -> [String]

    /// Notes that a user has logged in or sent a request.
    func noteUse(by userId: String, at time: ParseDate) async throws

    /// The time of each user's last log-in or request, as `noteUse` and `save` have noted it.
    func lastUses() throws -> [String: ParseDate]

    /// Removes a user with all sessions and the verifier. The log-outs that the remote has not been told become unsent log-outs.
    func forget(userId: String) async throws

    /// Removes a user of a site replica with all sessions and the verifier, unless the user has logged in or sent a request since, or
    /// has changes or conflicts.
    /// - Returns: whether the user is removed.
    func forget(userId: String, unusedSince time: ParseDate) async throws -> Bool

    // MARK: The pending work of a site replica's users

    /// Everything of a user that the remote does not have, without a limit: changes in any phase with their files, and open conflicts.
    func waitingWork(of userId: String) async throws -> WaitingWork

    /// Removes a user with all sessions and the verifier, and the user's changes. The objects return to their states without these
    /// changes, and the changes of other users stay.
    /// - Parameter check: throws an error if the work may not be dropped. Nothing is then removed.
    func forget(userId: String, withWork check: @escaping @Sendable (WaitingWork) throws -> Void) async throws

    // MARK: The file

    /// Ends all positions of the change feed, because readers' rights have changed in a way that the feed has not recorded.
    func endFeedPositions() async throws

    /// The value of the setting `people` with which the store was opened last; nil if it was never noted.
    func mode() throws -> String?

    func setMode(_ mode: String) async throws
}

/// A log-out of a session that does not belong to a known user, until the remote has been told.
package struct UnsentLogOut: Sendable, Hashable {
    package let digest: SessionDigest
    /// The id of the user who has sealed the token; nil for a session that was never known here.
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

    /// The maximum number of entries in a store. Every client can log out tokens that do not exist.
    package static let countMax = 10_000
}
