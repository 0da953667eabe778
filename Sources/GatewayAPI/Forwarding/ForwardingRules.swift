import ParseModel
import StoreService

/// Decides which requests a replica leaves to its remote.
struct ForwardingRules: Sendable {
    let store: any ObjectStore
    let isReplica: Bool

    /// Whether the remote answers a request. It does for classes that the replica does not keep (installations, roles, sessions and
    /// users are kept on demand), and for sign-up and sessions.
    func isForwarded(_ request: RoutedRequest) throws -> Bool {
        let policy = request.route.policy
        guard isReplica, !policy.forwarding.isAlways else { return isReplica }
        guard let target = request.objects else { return false }
        // A server shows these to holders of its master key, and none of them is kept here.
        if ClassName.isServersOwn(target.className) { return true }
        guard target.kind != .aggregate, ClassName.special.contains(target.className) else { return false }
        if request.hasSession || target.kind == .create && ["_User", "_Session"].contains(target.className) {
            return true
        }
        return try !store.classNames().contains(target.className)
    }

    /// - Throws: `ParseError` for a write that names the state it was made on: a Parse Server would carry it out in any state
    ///   of the object.
    func checkForwarded(_ request: RoutedRequest) throws(ParseError) {
        guard request.route.policy.objects != nil, request.parse.method != .get, request.namesState else { return }
        throw ParseError(
            .commandUnavailable,
            "If-Match and _base are for objects that are kept here: this request is the remote's to answer.")
    }

    /// The error for a request with a session. SDKs take 209 for the end of a session, and only the remote knows that.
    var sessionRefusal: ParseError {
        isReplica
            ? ParseError(
                .operationForbidden, "A replica serves one identity: requests with a session are not supported yet.")
            : ParseError(.invalidSessionToken, "Invalid session token")
    }
}
