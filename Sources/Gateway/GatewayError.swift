import HTTPServer
import LocalStore

/// Why a gateway cannot start: one line for a person.
package struct GatewayError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    init(_ error: any Error) {
        switch error {
        case let error as StoreError: description = Self.line(error)
        case let error as HTTPServerError: description = Self.line(error)
        case let error as GatewayError: description = error.description
        default: description = String(describing: error)
        }
    }

    private static func line(_ error: StoreError) -> String {
        switch error {
        case .diskFull: "the disk is full"
        case .newerFile(let version, let supported):
            "the file in the data directory has version \(version), and this program knows versions up to \(supported): "
                + "use a newer tidegate"
        case .directoryInUse(let path): "\(path) is in use by another tidegate"
        case .identityMismatch(let reason, let hint): "\(reason): \(hint)"
        case .file(let operation, let path, let message): "cannot \(operation) \(path): \(message)"
        case .sqlite(let operation, let code, let message): "cannot \(operation): \(message) (SQLite \(code))"
        case .tookTooLong, .feedTrimmed, .notFound, .notPossible: String(describing: error)
        }
    }

    private static func line(_ error: HTTPServerError) -> String {
        switch error {
        case .addressInUse(let host, let port): "port \(port) of \(host) is in use: choose another port"
        case .cannotListen(let reason): "cannot listen: \(reason)"
        }
    }
}
