import ParseModel

/// The local changes that matter to a call before the gateway forwards it to the remote. In a site replica, a replica
/// for several users, only the caller's own changes count.
package struct CallersQueue: Sendable, Hashable {
    /// The number of changes that have yet to be sent, or whose outcome is unknown.
    package let waiting: Int
    /// The number of changes that the remote has not acknowledged. Rejections and changes in an open conflict also count.
    package let unacknowledged: Int
    /// An object that the call names and that has a rejected change or an open conflict; nil if there is none.
    package let undecided: Pointer?
    /// Whether one of the changes can only be sent after a change of another author (another user, or the gateway).
    package let waitsForOthers: Bool

    package init(waiting: Int, unacknowledged: Int, undecided: Pointer?, waitsForOthers: Bool) {
        (self.waiting, self.unacknowledged) = (waiting, unacknowledged)
        (self.undecided, self.waitsForOthers) = (undecided, waitsForOthers)
    }
}
