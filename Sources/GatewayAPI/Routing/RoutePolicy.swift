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
    }

    /// What pages of other sites may do with the response.
    enum CrossSite: Sendable {
        case nothing
        /// Navigation through a link.
        case link
        /// Embedding the response.
        case embed
    }

    /// What a session token in a request does.
    enum Sessions: Sendable {
        /// It gives the rights of its user. An ended one is refused.
        case used
        /// Nothing, as in a Parse Server's log-in.
        case ignored
        /// It counts for each item of the request by itself.
        case ofItems
        /// It shows whose file is read. The name of a file on the remote is enough to read it, so an ended session is ignored.
        case ofFile
    }

    /// What the body of a request contains.
    enum Body: Sendable {
        case json
        /// The content of a file, which is written to the disk.
        case file
        /// JSON with the bodies of several requests, whose nesting counts for each by itself.
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

    /// What a request with the read-only master key gets.
    enum ReadOnlyKey: Sendable {
        /// The answer if the method is GET, a refusal otherwise.
        case reads
        /// The answer.
        case everything
        /// A refusal. `action` completes Parse Server's text; nil for the name of the route.
        case nothing(action: String?)
        /// A refusal in the form that Parse Server gives for files.
        case noFile(action: String)
    }

    package var access = Access.keyed
    /// Whether the route is one of Parse Server's routes that use application ids and session tokens.
    package var isParse = true
    /// Whether the route belongs to the web page. Such a route does not exist under the mount paths `/parse` and `/1`.
    var isPage = false
    /// Whether the route concerns one space. The local master key may name the user of the space in the parameter `user`.
    var isOfSpace = false
    /// Whether the session of the owner in a browser counts as the master key.
    var takesOwnerSession = false
    /// Whether every method except OPTIONS is answered like a GET.
    var answersEachMethod = false
    var sessions = Sessions.used
    var body = Body.json
    /// Nil for a route that opens no session and tests no password.
    var signIn: SignIn?
    var readOnlyKey = ReadOnlyKey.reads
    var crossSite = CrossSite.nothing
    /// Whether logs have the pattern of the route in place of the path, because a parameter may be the name of a user.
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
    /// A route of Tidegate's own API that concerns one space.
    static let ofSpace = RoutePolicy(isParse: false, isOfSpace: true)
    /// A route of Tidegate's own API with which an operator of the gateway changes a space.
    static let ofOperator = RoutePolicy(
        access: .masterOnlyWithSpaces, isParse: false, isOfSpace: true, takesOwnerSession: true)
    /// As `ofOperator`, and not for the session of the owner in a browser, because the page does not use the route.
    static let ofOperatorWithKey = RoutePolicy(access: .masterOnlyWithSpaces, isParse: false, isOfSpace: true)
    /// A route of Tidegate's own API that shows figures about all objects.
    static let ownFigures = RoutePolicy(access: .masterOnlyWithUsers, isParse: false)
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
        /// The master key once there are users, and `clients` before.
        case masterKeyOnceThereAreUsers
        /// The master key in a replica with users, and `clients` in another.
        case masterKeyInReplicaWithUsers
        /// The master key.
        case masterKey
    }

    package var right: Right {
        switch access {
        case .open: .everybody
        case .keyed: objects == nil ? .clients : .permissions
        case .masterOnlyWithUsers: .masterKeyOnceThereAreUsers
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

    /// The policy with a change.
    func with(_ change: (inout RoutePolicy) -> Void) -> RoutePolicy {
        var policy = self
        change(&policy)
        return policy
    }

    var ignoresSession: Bool { if case .ignored = sessions { true } else { false } }
}
