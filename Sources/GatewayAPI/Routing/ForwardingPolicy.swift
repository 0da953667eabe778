import RemoteService

/// The rules for forwarding the requests of a route.
struct ForwardingPolicy: Sendable {
    /// Which forwarded requests wait until earlier local writes have reached the remote: only writes (`beforeWrites`), all, or
    /// none.
    enum QueuedWrites: Sendable { case beforeWrites, always, never }

    /// Whether a replica forwards every request of the route, except as `hasLocalAnswer` states. A forwarded request is
    /// never queued.
    var isAlways = false
    /// Whether a replica answers every request of the route itself.
    var isLocal = false
    /// Whether a replica answers from its file if its kind of remote answers no calls.
    var hasLocalAnswer = false
    /// The form of the remote's answer; nil to derive it from the operation on objects.
    var answer: AnswerForm?
    var queuedWrites = QueuedWrites.beforeWrites
    /// Whether the remote's answer contains schemas.
    var showsSchemas = false
    /// Whether the request changes the remote's schema.
    var changesSchema = false
    /// Whether the request deletes all objects of the class on the remote.
    var emptiesClass = false
    /// Whether the request ends the session of its caller.
    var endsSession = false

    func waitsForQueuedWrites(isRead: Bool) -> Bool {
        switch queuedWrites {
        case .beforeWrites: !isRead
        case .always: true
        case .never: false
        }
    }
}
