import Foundation
import HTTPServer
import StoreService

/// The reason, in one line, why a gateway cannot start, `tidegate doctor` cannot check something, or the demo's sample data
/// cannot be stored.
package struct GatewayError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    init(_ error: any Error) {
        switch error {
        case let error as HTTPServerError: description = Self.line(error)
        case let error as GatewayError: description = error.description
        case let error as CocoaError: description = Self.line(error)
        default: description = String(describing: error)
        }
    }

    /// The path and the reason of a failed operation on a file: `cannot write /backups: Read-only file system`.
    private static func line(_ error: CocoaError) -> String {
        let operation = error.code.rawValue < CocoaError.Code.fileWriteUnknown.rawValue ? "read" : "write"
        return "cannot \(operation) \(error.filePath ?? "a file"): \(StoreError.systemReason(of: error))"
    }

    private static func line(_ error: HTTPServerError) -> String {
        switch error {
        case .addressInUse(let host, let port): "port \(port) of \(host) is in use: choose another port"
        case .cannotListen(let reason): "cannot listen: \(reason)"
        }
    }
}

/// An error that ends a command, as one line. For an invalid setting, the line names the setting and its source: the option, the
/// variable or the file.
package struct ConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
