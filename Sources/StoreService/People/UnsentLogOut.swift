import ParseModel

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
