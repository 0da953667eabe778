import ParseModel

/// A log-in whose password was already compared with the stored hash.
package struct LogInAttempt: Sendable {
    package let userId: String
    /// The hash that the password was compared with.
    package let hash: String?
    package let isRight: Bool
    /// The limit for failed log-ins; nil if log-ins are never locked out.
    package var lockout: Lockout?
    /// The hash that replaces an outdated one; nil to keep it.
    package var newHash: String?
    /// The session to open; nil if the request only verifies the password.
    package var session: NewSession?

    package init(userId: String, hash: String?, isRight: Bool) {
        self.userId = userId
        self.hash = hash
        self.isRight = isRight
    }

    /// Whether the log-in changes nothing in the store.
    package var changesNothing: Bool { lockout == nil && (!isRight || newHash == nil && session == nil) }
}

/// The limit for failed log-ins of a user. At the limit, all log-ins of the user fail for some time, even with the
/// right password.
package struct Lockout: Sendable, Hashable {
    package var threshold: Int
    package var duration: Duration

    package init(threshold: Int, duration: Duration) {
        self.threshold = threshold
        self.duration = duration
    }
}

/// The outcome of a log-in.
package enum LogInOutcome: Sendable {
    /// The password is right. `user` has the fields at the time of the transaction.
    case accepted(user: JSONObject)
    /// The password is wrong, or the password was changed or the user deleted during the comparison.
    case refused
    /// The user's log-ins are refused for some time after too many failures.
    case locked
}
