import ParseModel
import Passwords
import Synchronization

/// Remembers the sign-ups whose answers were lost, so that the remote may have created their users. Names and passwords
/// are kept in memory only, as hashes under a random key, for an hour.
final class LostSignUps: Sendable {
    /// One attempt of a sign-up.
    struct Attempt: Sendable {
        /// The hash of the name and the password.
        fileprivate let account: [UInt8]
        /// The hash of all fields.
        fileprivate let fields: [UInt8]
        /// The uptime at the start of the attempt.
        let begunAt: Duration

        /// Whether the other attempt has the same fields, and would therefore create the same user.
        func isEqual(to other: Attempt) -> Bool { fields == other.fields }
    }

    private static let lifetime = Duration.seconds(3600)
    private static let countMax = 1000

    private let signer = AddressSigner()
    private let uptime: @Sendable () -> Duration
    /// The attempts of unknown outcome, oldest first.
    private let lost = Mutex<[Attempt]>([])

    init(uptime: @escaping @Sendable () -> Duration) { self.uptime = uptime }

    /// A new attempt for a request; nil if the request is no sign-up with a name and a password.
    func attempt(of request: RoutedRequest) -> Attempt? {
        guard request.objects?.className == "_User", request.objects?.kind == .create,
            let claim = SignUpClaim(request)
        else { return nil }
        return Attempt(
            account: signer.signature(
                of: JSONValue.array([.string(claim.username), .string(claim.password)]).jsonText),
            fields: signer.signature(of: JSONValue.array(claim.fields).jsonText), begunAt: uptime())
    }

    /// Records an attempt of unknown outcome.
    func add(_ attempt: Attempt) {
        lost.withLock { lost in
            lost.removeAll { $0.begunAt + Self.lifetime < attempt.begunAt }
            if lost.count >= Self.countMax { lost.removeFirst() }
            lost.append(attempt)
        }
    }

    /// The earliest attempt of unknown outcome for the same name and password; nil for none.
    func earlier(than attempt: Attempt) -> Attempt? {
        lost.withLock { lost in
            lost.first { $0.account == attempt.account && $0.begunAt + Self.lifetime >= attempt.begunAt }
        }
    }

    /// Removes the attempts for the name and the password, because their outcome is known.
    func remove(_ attempt: Attempt) { lost.withLock { $0.removeAll { $0.account == attempt.account } } }

    /// The time since the start of an attempt.
    func age(of attempt: Attempt) -> Duration { uptime() - attempt.begunAt }
}

/// The name, the password and all fields in a sign-up.
struct SignUpClaim {
    let username: String
    let password: String
    /// Names and values of the fields, ordered by name.
    let fields: [JSONValue]

    /// Nil for a sign-up without a name or a password, for example one with `authData` alone.
    init?(_ request: RoutedRequest) {
        guard case .object(let body) = request.parse.body, let username = body["username"]?.string,
            let password = body["password"]?.string, !username.isEmpty, !password.isEmpty
        else { return nil }
        self.username = username
        self.password = password
        fields = body.sorted { $0.key < $1.key }.flatMap { [.string($0.key), $0.value] }
    }
}
