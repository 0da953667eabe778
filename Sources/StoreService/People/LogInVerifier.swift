import ParseModel

/// The hash of a user's password for log-ins while the remote is not reachable, with the number of failed attempts. All
/// times are those of `TrustedTime`.
package struct LogInVerifier: Sendable, Hashable {
    /// The Argon2id hash of the peppered password, in the PHC format.
    package let hash: String
    /// The time of the user's last log-in at the remote, which proved the password.
    package let provenAt: ParseDate
    /// The number of attempts since the last successful log-in or the last lock-out.
    package var failures: Int
    /// The number of lock-outs since the last successful log-in.
    package var locks: Int
    /// The end of the lock-out; nil if there was none since the last successful log-in.
    package var lockedUntil: ParseDate?

    /// The time after a log-in at the remote for which the user can log in without the remote.
    package static let validity = Duration.seconds(7 * 86_400)
    /// The number of failed attempts that lead to a lock-out.
    package static let failuresMax = 5
    /// The duration of the first lock-out. Each further lock-out lasts twice as long, up to `lockMax`.
    package static let lockMin = Duration.seconds(300)
    package static let lockMax = Duration.seconds(3600)

    package init(hash: String, provenAt: ParseDate, failures: Int = 0, locks: Int = 0, lockedUntil: ParseDate? = nil) {
        self.hash = hash
        self.provenAt = provenAt
        self.failures = failures
        self.locks = locks
        self.lockedUntil = lockedUntil
    }

    /// The answer to an attempt to log in without the remote.
    package enum Attempt: Sendable, Hashable {
        /// The user has no verifier, or it is too old.
        case impossible
        case locked(until: ParseDate)
        /// The password may be compared with the hash.
        case allowed(hash: String)
    }

    /// The end of the time in which the user can log in without the remote.
    package var end: ParseDate { provenAt + Self.validity }

    /// Counts an attempt as failed, and decides whether its password may be compared. A later success resets the count.
    package mutating func begin(at now: ParseDate) -> Attempt {
        guard now < end else { return .impossible }
        if let lockedUntil, now < lockedUntil { return .locked(until: lockedUntil) }
        failures += 1
        if failures >= Self.failuresMax {
            lockedUntil = now + Self.lockTime(after: locks)
            locks += 1
            failures = 0
        }
        return .allowed(hash: hash)
    }

    private static func lockTime(after locks: Int) -> Duration {
        // From the fifth lock-out on, the doubled time exceeds the maximum.
        min(lockMin * (1 << min(locks, 4)), lockMax)
    }
}
