import HTTPServer
import HTTPTypes
import HeaderNames

/// Whether the remote has the change of a successful write whose client has asked for the remote. The raw value is the one
/// of the header `Tidegate-State`.
enum RemoteState: String, Sendable, Hashable {
    /// The remote has taken the change. In a standalone gateway, which has no remote: the change is stored.
    case synced
    /// The change is stored here, and is sent later.
    case queued
}

extension HTTPServerResponse {
    /// Adds the headers for a write that was performed as its client prefers.
    mutating func note(_ state: RemoteState, as preference: RemotePreference) {
        headers[.preferenceApplied] = preference.applied
        headers[.tidegateState] = state.rawValue
    }
}
