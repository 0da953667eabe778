import GatewayAPI
import ParseModel

/// The errors for a user without a space, while the gateway serves as many users as `--users-max` allows.
enum FullGateway {
    static func error(_ count: Int) -> APIError {
        .remoteUnreachable(
            reason: maximum(count)
                + ", and each has waiting changes, decisions or files, or an open stream of changes.")
    }

    /// The error for a user without a space while the remote cannot be reached. The data of another user could not be
    /// read again, and the new space would stay empty.
    static func errorWithoutRemote(_ count: Int) -> APIError {
        .remoteUnreachable(
            reason: maximum(count)
                + ". Without the remote, the data of another user is not removed to make room for this user.")
    }

    private static func maximum(_ count: Int) -> String {
        "This gateway serves \(count.counted("user")), the maximum (\(Setting.usersMax.option))"
    }
}
