import Synchronization

/// The latest requests of a gateway, for the person who runs it.
///
/// This code runs for every request, so it keeps values that exist already and makes no texts.
package final class RecentRequests: Sendable {
    struct Entry: Sendable {
        /// The number of the request since the start, from 1.
        var number = 0
        let method: String
        /// The path without the query, as logs show it.
        let path: String
        let status: Int
        /// The gateway's uptime at the arrival of the request.
        let arrivedAt: Duration
        let duration: Duration
        /// The kind of principal, as in `GET /principal`.
        let principal: String
    }

    private static let countMax = 200

    private struct Ring {
        var entries: [Entry] = []
        var count = 0
    }

    private let ring = Mutex(Ring())

    func note(_ entry: Entry) {
        ring.withLock { ring in
            var entry = entry
            let place = ring.count % Self.countMax
            ring.count += 1
            entry.number = ring.count
            if place < ring.entries.count { ring.entries[place] = entry } else { ring.entries.append(entry) }
        }
    }

    /// The latest requests, newest first.
    func latest() -> [Entry] {
        ring.withLock(\.entries).sorted { $0.number > $1.number }
    }
}
