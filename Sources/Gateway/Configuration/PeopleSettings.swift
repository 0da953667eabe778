/// The settings for the users of a replica: the mode, the limits of sessions and of users' data, and the file with the
/// session key.
package struct PeopleSettings: Sendable, Hashable {
    package enum Mode: String, Sendable, CaseIterable {
        /// Requests with a session are refused, except calls that only the remote can answer.
        case off
        /// Each user who signs in has a space: a store and a sync engine of its own.
        case personal
        /// All users share the gateway's own file. The gateway enforces their rights, and keeps the author of each
        /// change.
        case site
    }

    /// The treatment of the waiting changes of a session after its log-out.
    package enum AfterLogOut: String, Sendable, CaseIterable {
        /// The changes are sent under the session. Then the session is ended at the remote.
        case push
        /// The session is ended at the remote at once. The changes wait for the next log-in of the user.
        case keep
    }

    package var mode = Mode.off
    /// The reason why the default mode is `off` for a remote for which it is usually `personal`; nil otherwise.
    package var offBecause: String?
    /// The maximum number of users with a space. An open space takes about 1.6 MB of memory, 13 file descriptors and two threads, so the
    /// default allows for about 320 MB if no space can close.
    package var usersMax = 200
    /// The time without a request after which a space without unsent changes and open decisions closes.
    package var idleMax: Duration = .seconds(600)
    /// The time for which a session is valid offline after the remote has last confirmed it.
    package var offlineSessionMax: Duration = .seconds(7 * 86_400)
    package var afterLogOut = AfterLogOut.push
    /// The time without a log-in or request after which a user's data is removed; nil to keep it.
    package var forgetAfter: Duration?
    /// Whether users can log in with their password while the remote cannot be reached.
    package var offlineLogIn = false
    /// Whether a site replica sends the changes of users without a session with the remote's master key.
    package var sendsAsMaster = false
    /// The path of the file with the key that encrypts session tokens; nil if no session is kept.
    package var sessionKeyFile: String?
    /// Whether other users of the machine can read `sessionKeyFile`.
    var exposesSessionKey = false

    package init() {}

    /// The classes that a replica syncs for its users: in a site replica those on which rights depend.
    package var classes: [String] { mode == .site ? ["_User", "_Role"] : [] }
}
