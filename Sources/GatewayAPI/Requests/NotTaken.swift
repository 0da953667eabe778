import ParseModel

/// A write that the remote has not taken, although its client has asked the remote to take it.
package struct NotTaken: Sendable, Hashable {
    /// The raw value is the one of the header `Tidegate-State`.
    package enum State: String, Sendable, Hashable {
        /// The remote has refused the change, which is stored here as a rejection.
        case rejected
        /// The change is stored here, and is part of an open conflict.
        case conflict
        /// The change was dropped here before the remote took it, for example because another client undid it.
        case withdrawn
        /// The answer of the remote is missing. The change may have been executed.
        case unknown
    }

    package let state: State
    package let code: Int
    package let message: String
    /// The object of the write.
    package let objectId: String
    /// The path of the entry that waits for a decision or for the outcome; nil for none.
    package let entry: String?
    /// Whether the client may send the write again by itself if the answer has a status of 500 or above.
    package var isRepeatedByClient = false

    package init(_ state: State, code: Int, message: String, objectId: String, entry: String?) {
        self.state = state
        self.code = code
        self.message = message
        self.objectId = objectId
        self.entry = entry
    }
}
