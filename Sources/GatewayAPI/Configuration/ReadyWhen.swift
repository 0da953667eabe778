/// The time from which `GET /ready` reports the gateway as ready.
package enum ReadyWhen: String, Sendable, CaseIterable {
    /// The store is open.
    case open
    /// The store is open, and the first sync is complete. A gateway without a remote has no syncs.
    case synced
}
