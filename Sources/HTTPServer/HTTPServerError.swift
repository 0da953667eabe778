/// The reason why a server could not start.
package enum HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another socket listens on the address.
    case addressInUse(host: String, port: UInt16)
    /// Any other failure. The reason contains the operation, the address and the system error.
    case cannotListen(reason: String)

    /// The error as one line of text.
    package var description: String {
        switch self {
        case .addressInUse(let host, let port): "the address \(host) port \(port) is already in use"
        case .cannotListen(let reason): reason
        }
    }
}
