/// The author of a local change in a site replica. The remote receives the change under the author's rights.
package enum SyncAuthor: Sendable, Hashable {
    /// A client with the gateway's master key, or the gateway itself.
    case gateway
    /// A client without a session.
    case `public`
    /// A user of the remote, by the id in `_User`.
    case user(String)

    /// The author's name in the table `identities`.
    package var name: String {
        switch self {
        case .gateway: "gateway"
        case .public: "public"
        case .user(let id): "user:" + id
        }
    }

    /// - Returns: nil for a name that no author has.
    package init?(name: String) {
        switch name {
        case "gateway": self = .gateway
        case "public": self = .public
        default:
            guard name.hasPrefix("user:") else { return nil }
            self = .user(String(name.dropFirst("user:".count)))
        }
    }

    package var userId: String? {
        if case .user(let id) = self { id } else { nil }
    }
}
