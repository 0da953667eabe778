/// Who may call a route, and which general rules hold for it.
package struct RoutePolicy: Sendable {
    /// The key that a request needs.
    package enum Access: Sendable {
        /// No key: neither the access key nor one of Parse's.
        case open
        /// The keys that the configuration asks for.
        case keyed
        /// This gateway's master key besides, unless the remote answers.
        case masterOnly
    }

    /// The access of pages of other sites.
    enum CrossSite: Sendable {
        case nothing
        /// Lead a person here by a link.
        case link
        /// Show the answer in themselves.
        case embed
    }

    package var access = Access.keyed
    /// Whether the route belongs to Parse's dialect, in which application id and session token have a meaning.
    package var isParse = true
    /// Whether the route answers at the root only, and not under the mount paths of Parse Server.
    var isPage = false
    /// Whether each method is answered as a GET.
    var answersEachMethod = false
    /// Whether a session token is overlooked. A Parse Server does so at log-in, where a session begins; in a batch each item
    /// has its own check.
    var overlooksSession = false
    var crossSite = CrossSite.nothing
    /// The operation on objects; nil for other routes.
    var objects: ObjectOperation?
    var forwarding = ForwardingPolicy()

    /// A route of Parse's dialect.
    static let parse = RoutePolicy()
    /// A route of Parse's dialect for holders of the master key.
    static let parseMasterOnly = RoutePolicy(access: .masterOnly)
    /// A route of Tidegate's own.
    static let own = RoutePolicy(isParse: false)
    /// A route that needs no key.
    static func open(_ crossSite: CrossSite = .nothing, isPage: Bool = false) -> RoutePolicy {
        RoutePolicy(access: .open, isParse: false, isPage: isPage, crossSite: crossSite)
    }

    /// A route about objects.
    static func objects(_ kind: ObjectOperation.Kind, of className: String? = nil) -> RoutePolicy {
        RoutePolicy(objects: ObjectOperation(kind: kind, className: className))
    }

    /// A route that the remote answers in a replica.
    static func remote(
        _ access: Access = .keyed, _ change: (inout ForwardingPolicy) -> Void = { _ in }
    ) -> RoutePolicy {
        var policy = RoutePolicy(access: access)
        policy.forwarding.isAlways = true
        change(&policy.forwarding)
        return policy
    }
}
