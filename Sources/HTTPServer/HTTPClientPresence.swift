import Synchronization

/// Tells whether the client of a request is still connected, so that work for a disconnected client can stop.
///
/// A client that closes its sending side counts as disconnected, although it could still read.
package final class HTTPClientPresence: Sendable {
    private let isGone = Atomic(false)

    package init() {}

    /// True a few tenths of a second after the client has disconnected.
    package var hasDisconnected: Bool { isGone.load(ordering: .relaxed) }

    /// Marks the client as disconnected.
    package func leave() { isGone.store(true, ordering: .relaxed) }
}
