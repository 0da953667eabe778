import GatewayAPI
import ParseModel

/// The errors of a gateway that serves as many users as it may.
enum FullGateway {
    static func error(_ count: Int) -> APIError {
        .remoteUnreachable(
            reason: maximum(count)
                + ", and each has waiting changes, decisions or files, or an open stream of changes.")
    }

    /// The error of a user without a space while the remote cannot be reached: the space would be empty, and no longer that of another user.
    static func errorWithoutRemote(_ count: Int) -> APIError {
        .remoteUnreachable(
            reason: maximum(count)
                + ". Without the remote, the data of another user is not removed to make room for this user.")
    }

    private static func maximum(_ count: Int) -> String {
        "This gateway serves \(count.counted("user")), the maximum (\(Setting.usersMax.option))"
    }
}
