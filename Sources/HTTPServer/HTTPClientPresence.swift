import Synchronization

/// Whether the client of a request is still there, so that work for one that has left can end.
///
/// A client that closes its side of the connection counts as gone, also where it might still read.
package final class HTTPClientPresence: Sendable {
    private let isGone = Atomic(false)

    package init() {}

    /// Noticed within a few tenths of a second.
    package var hasLeft: Bool { isGone.load(ordering: .relaxed) }

    package func leave() { isGone.store(true, ordering: .relaxed) }
}
