import ArgumentParser
import Gateway

/// The exit codes of the commands: 0 for success, 1 for a failure, 3 if the gateway or its remote does not respond, and 64
/// for a wrong command line. `status --check` has codes of its own.
extension ExitCode {
    /// The gateway, or the remote that has to answer, does not respond.
    static let unreachable = ExitCode(3)

    init(of error: any Error) {
        switch error {
        case let code as ExitCode: self = code
        case GatewayClientError.refused(let status, _, _): self = [503, 504].contains(status) ? .unreachable : .failure
        case is GatewayClientError, is StoppedError: self = .unreachable
        default: self = .failure
        }
    }
}
