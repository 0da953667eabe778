/// How a request of a route reaches the remote, where the remote answers it.
struct ForwardingPolicy: Sendable {
    /// Whether earlier writes of this gateway go to the remote first, because the request may depend on them.
    enum QueuedWrites: Sendable { case beforeWrites, always, never }

    /// Whether in a replica each request of the route is the remote's to answer. Such a request is never queued.
    var isAlways = false
    var queuedWrites = QueuedWrites.beforeWrites
    /// Whether the remote's answer shows schemas.
    var showsSchemas = false
    /// Whether the request changes the remote's schema.
    var changesSchema = false
    /// Whether the remote has no objects of the class any more once it has carried out the request.
    var emptiesClass = false

    func waitsForQueuedWrites(isRead: Bool) -> Bool {
        switch queuedWrites {
        case .beforeWrites: !isRead
        case .always: true
        case .never: false
        }
    }
}
