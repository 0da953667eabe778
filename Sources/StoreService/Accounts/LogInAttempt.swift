import ParseModel

/// A log-in whose password has been compared.
package struct LogInAttempt: Sendable {
    package let userId: String
    /// The hash that the password was compared with.
    package let hash: String?
    package let isRight: Bool
    /// The lock-out of the gateway; nil if log-ins are never locked out.
    package var lockout: Lockout?
    /// The hash that replaces an outdated one; nil to keep it.
    package var newHash: String?
    /// The session to open; nil to only check the password.
    package var session: NewSession?

    package init(userId: String, hash: String?, isRight: Bool) {
        self.userId = userId
        self.hash = hash
        self.isRight = isRight
    }

    /// Whether the log-in changes nothing in the store.
    package var changesNothing: Bool { lockout == nil && (!isRight || newHash == nil && session == nil) }
}

/// After a number of failed log-ins, every log-in of the user fails for a time, also with the right password.
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
    /// The password is wrong, or was changed during its comparison, or the user is gone.
    case refused
    /// The user is locked out for a time.
    case locked
}
