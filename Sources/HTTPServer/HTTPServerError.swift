/// Why a server could not be started.
package enum HTTPServerError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Another process, or another server of this one, listens there.
    case addressInUse(host: String, port: UInt16)
    /// Anything else; the reason names the operation, the address and the system's error.
    case cannotListen(reason: String)

    /// One line for whoever starts the program.
    package var description: String {
        switch self {
        case .addressInUse(let host, let port): "the address \(host) port \(port) is already in use"
        case .cannotListen(let reason): reason
        }
    }
}
