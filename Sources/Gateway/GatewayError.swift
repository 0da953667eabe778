import HTTPServer

/// The reason why a gateway cannot start, or why `tidegate doctor` cannot check something, in one line.
package struct GatewayError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    init(_ error: any Error) {
        switch error {
        case let error as HTTPServerError: description = Self.line(error)
        case let error as GatewayError: description = error.description
        default: description = String(describing: error)
        }
    }

    private static func line(_ error: HTTPServerError) -> String {
        switch error {
        case .addressInUse(let host, let port): "port \(port) of \(host) is in use: choose another port"
        case .cannotListen(let reason): "cannot listen: \(reason)"
        }
    }
}
