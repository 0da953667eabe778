import Synchronization

/// Tells whether the client of a request is still connected. Work for a disconnected client can stop.
///
/// A client that has closed its sending side counts as disconnected, although it could still receive the response.
package final class HTTPClientPresence: Sendable {
    private let isGone = Atomic(false)

    package init() {}

    /// Whether the client has disconnected. Becomes true a few tenths of a second after the disconnect.
    package var hasDisconnected: Bool { isGone.load(ordering: .relaxed) }

    /// Marks the client as disconnected.
    package func leave() { isGone.store(true, ordering: .relaxed) }
}
