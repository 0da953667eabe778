import RemoteService

/// The access rules and general properties of a route.
package struct RoutePolicy: Sendable {
    /// The keys that a request requires.
    package enum Access: Sendable {
        /// No key.
        case open
        /// The keys that the configuration requires.
        case keyed
        /// The keys of `keyed` and this gateway's master key. A forwarded request needs only the keys of `keyed`.
        case masterOnly
        /// In a standalone gateway with users and in a site replica, this gateway's master key. Otherwise the keys of `keyed`.
        case masterOnlyWithUsers
        /// In a replica with users, this gateway's master key. Otherwise the keys of `keyed`.
        case masterOnlyWithSpaces
        /// In a gateway with users, this gateway's master key. Otherwise the keys of `keyed`.
        case masterOnlyToInspect
    }

    /// The use of the response that is allowed to pages of other sites.
    enum CrossSite: Sendable {
        case nothing
        /// Navigation through a link.
        case link
        /// Embedding the response.
        case embed
    }

    /// The effect of a session token in a request.
    enum Sessions: Sendable {
        /// The token gives the rights of its user. The token of an ended session is refused.
        case used
        /// The token has no effect, as in a Parse Server's log-in.
        case ignored
        /// The token counts for each item of a batch, according to the item's route.
        case ofItems
        /// The token shows whose file is read. The name of a file on the remote is enough to read it, so the token of
        /// an ended session is ignored.
        case ofFile
    }

    /// The content of a request's body.
    enum Body: Sendable {
        case json
        /// The content of a file, which is written to the disk.
        case file
        /// Objects in one of the formats of imports, which are written to the disk.
        case rows
        /// JSON with the bodies of several requests. The limit of nesting applies to each of these bodies.
        case batch

        /// The nesting levels around an object: `{"requests":[{"body":…` in a batch.
        var levelsAround: Int { if case .batch = self { 3 } else { 0 } }
    }

    /// How a request opens a session or tests a password. The audit log, the log-ins without the remote and the repetition of lost sign-ups
    /// depend on it.
    enum SignIn: Sendable {
        case logIn
        /// A log-in with the master key, without a password.
        case logInAs
        case signUp
        case passwordTest
    }

    /// The answer to a request with the read-only master key.
    enum ReadOnlyKey: Sendable {
        /// A GET is answered. Any other method is refused.
        case reads
        /// Every request is answered.
        case everything
        /// Every request is refused. `action` completes Parse Server's text; nil to use the name of the route.
        case nothing(action: String?)
        /// Every request is refused, in the form that Parse Server uses for files.
        case noFile(action: String)
    }

    package var access = Access.keyed
    /// Whether the route is one of Parse Server's routes that use application ids and session tokens.
    package var isParse = true
    /// Whether the route belongs to the web page. Such a route does not exist under the mount paths `/parse` and `/1`.
    var isPage = false
    /// Whether the route concerns one space: the gateway's own data or, in a personal replica, the data of one user.
    /// With the gateway's master key, the parameter `user` selects a user.
    var isOfSpace = false
    /// Whether the browser session of the person who runs the gateway counts as the master key.
    var takesOwnerSession = false
    /// Whether every method except OPTIONS is answered like a GET.
    var answersEachMethod = false
    var sessions = Sessions.used
    var body = Body.json
    /// The way in which the route opens a session or tests a password; nil for a route that does neither.
    var signIn: SignIn?
    var readOnlyKey = ReadOnlyKey.reads
    var crossSite = CrossSite.nothing
    /// Whether logs show the pattern of the route in place of the path, because a parameter may be the name of a user.
    var hidesParameters = false
    /// The operation on objects; nil for a route that does not concern objects.
    var objects: ObjectOperation?
    var forwarding = ForwardingPolicy()

    /// A route of Parse Server that uses application ids and session tokens.
    static let parse = RoutePolicy()
    /// A route of Tidegate's own API.
    static let own = RoutePolicy(isParse: false)
    /// A route of Tidegate's own API that requires the master key.
    static let ownMasterOnly = RoutePolicy(access: .masterOnly, isParse: false)
    /// A route of Tidegate's own API about one space: the gateway's own data or, in a personal replica, the data of one
    /// user.
    static let ofSpace = RoutePolicy(isParse: false, isOfSpace: true)
    /// A route of Tidegate's own API with which the person who runs the gateway changes one space: the gateway's own
    /// data or, in a personal replica, the data of one user.
    static let ofOperator = RoutePolicy(
        access: .masterOnlyWithSpaces, isParse: false, isOfSpace: true, takesOwnerSession: true)
    /// As `ofOperator`, but without the browser session of the person who runs the gateway, because the page does not
    /// use the route.
    static let ofOperatorWithKey = RoutePolicy(access: .masterOnlyWithSpaces, isParse: false, isOfSpace: true)
    /// A route of Tidegate's own API that shows figures about all objects.
    static let ownFigures = RoutePolicy(access: .masterOnlyWithUsers, isParse: false)
    /// A route of Tidegate's own API that shows the program to the person who runs the gateway.
    static let ofInspector = RoutePolicy(access: .masterOnlyToInspect, isParse: false, takesOwnerSession: true)
    /// A route that requires no key.
    static func open(_ crossSite: CrossSite = .nothing, isPage: Bool = false) -> RoutePolicy {
        RoutePolicy(access: .open, isParse: false, isPage: isPage, sessions: .ignored, crossSite: crossSite)
    }

    /// Who may use the route. `docs/security.md` describes each.
    package enum Right: String, Sendable, CaseIterable {
        /// Every client, without a key.
        case everybody
        /// Every client with the keys that the configuration requires.
        case clients
        /// As `clients`. The permissions of classes and objects decide about each object.
        case permissions
        /// The master key if the gateway has users, as `clients` otherwise.
        case masterKeyOnceThereAreUsers
        /// The master key in a replica with users, as `clients` otherwise.
        case masterKeyInReplicaWithUsers
        /// The master key.
        case masterKey
    }

    package var right: Right {
        switch access {
        case .open: .everybody
        case .keyed: objects == nil ? .clients : .permissions
        case .masterOnlyWithUsers, .masterOnlyToInspect: .masterKeyOnceThereAreUsers
        case .masterOnlyWithSpaces: .masterKeyInReplicaWithUsers
        case .masterOnly: .masterKey
        }
    }

    /// A route for an operation on objects. `className` is nil if the path names the class.
    static func objects(_ kind: ObjectOperation.Kind, of className: String? = nil) -> RoutePolicy {
        RoutePolicy(objects: ObjectOperation(kind: kind, className: className))
    }

    /// A route whose requests a replica always forwards to its remote.
    /// - Parameter answer: the form of the remote's answer.
    static func remote(_ answer: AnswerForm = .object, _ access: Access = .keyed) -> RoutePolicy {
        RoutePolicy(access: access).with { $0.forwarding = ForwardingPolicy(isAlways: true, answer: answer) }
    }

    /// A copy of the policy with a change.
    func with(_ change: (inout RoutePolicy) -> Void) -> RoutePolicy {
        var policy = self
        change(&policy)
        return policy
    }

    var ignoresSession: Bool { if case .ignored = sessions { true } else { false } }
}
