import ParseModel
import StoreService

/// Receives the sessions that the remote opens or refuses, and the log-outs of users, from the answers to forwarded calls.
package protocol SessionObserver: Sendable {
    /// Stores a session that the remote has opened by a forwarded call, so that it can be used offline from now on.
    func noteOpened(_ token: String) async

    /// Ends a session that the remote has refused in a forwarded call.
    func noteRefused(_ token: String) async

    /// Ends a session here that a forwarded call has ended at the remote.
    func noteEnded(_ token: String) async

    /// Checks a session, its user and the user's other sessions at the remote, because a forwarded call may have changed
    /// or ended them.
    func refresh(_ token: String) async

    /// Checks the sessions of a user at the remote, because a forwarded call with the master key may have ended them.
    func confirmSessions(of userId: String) async

    /// Checks that the number of users allows a user to sign in. Called before the remote is asked.
    /// - Throws: `APIError.remoteUnreachable` if the gateway already serves the maximum number of users, and can remove
    ///   none of them.
    func checkRoom(for name: LogInName) async throws

    /// Checks that the number of users allows the user of a session to work here, after a sign-in that named no user.
    /// Otherwise the session is ended, also at the remote.
    /// - Throws: as `checkRoom(for:)`.
    func checkRoom(forSession token: String) async throws

    /// Ends a session here at once, and at the remote when it can be reached and the user's earlier writes have arrived.
    func logOut(_ token: String) async throws

    /// Logs users in while the remote cannot be reached; nil if that is switched off.
    var offlineSignIn: (any OfflineSignIn)? { get }

    /// The fields of a user as the remote has shown them last; empty for an unknown user.
    func fields(of userId: String) throws -> JSONObject

    /// Whether a session that was usable before has ended.
    func hasEnded(_ token: String) throws -> Bool

    /// Whether this gateway has opened the session, so that the remote does not know its token.
    func isFromHere(_ token: String) throws -> Bool
}
