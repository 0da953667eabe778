import ParseModel

/// The state of the local writes before a forwarded call: of all writes, in a site replica of the caller's own.
package struct CallersQueue: Sendable, Hashable {
    /// The number of changes that have yet to be sent, or whose outcome is unknown.
    package let waiting: Int
    /// The number of changes that the remote has not acknowledged. Rejections and changes in an open conflict also count.
    package let unacknowledged: Int
    /// An object with a rejection or an open conflict among the things that the call names; nil if there is none.
    package let undecided: Pointer?
    /// Whether one of the changes waits for a change of another author that is not on the remote yet.
    package let waitsForOthers: Bool

    package init(waiting: Int, unacknowledged: Int, undecided: Pointer?, waitsForOthers: Bool) {
        (self.waiting, self.unacknowledged) = (waiting, unacknowledged)
        (self.undecided, self.waitsForOthers) = (undecided, waitsForOthers)
    }
}
