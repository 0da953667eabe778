import HTTPServer
import Logging
import ParseModel
import Synchronization

/// The certificate of a running gateway with TLS. It is read again when its files have changed, for example after a renewal.
/// The present certificate stays if the new files cannot be used.
package final class RunningCertificate: Sendable {
    private struct State {
        var certificate: ServerCertificate
        /// The latest error, so that it is logged once.
        var error: String?
    }

    private let files: CertificateFiles
    private let state: Mutex<State>
    private let logger: Logger
    private let server: HTTPServer
    private let url: String
    private let addressFile: AddressFile

    /// The time between two looks at the files.
    private static let interval = Duration.seconds(60)

    /// - Parameters:
    ///   - first: the certificate with which the gateway has started.
    ///   - url: the base URL of the gateway.
    ///   - addressFile: gets the public key of each certificate.
    /// - Returns: nil for a gateway without TLS.
    init?(
        _ files: CertificateFiles?, _ first: ServerCertificate?, of server: HTTPServer, at url: String,
        _ addressFile: AddressFile, logger: Logger
    ) {
        guard let files, let first else { return nil }
        self.files = files
        self.server = server
        self.url = url
        self.addressFile = addressFile
        state = Mutex(State(certificate: first))
        self.logger = logger
    }

    /// The public key of the present certificate, as in `CurlTransport.Configuration`.
    var publicKeyPin: String { state.withLock { $0.certificate.publicKeyPin } }

    /// Reads the files again, and uses them for connections that begin later.
    package func reread() {
        state.withLock { state in
            do {
                let next = try files.read()
                state.error = nil
                guard !next.isSame(as: state.certificate) else { return }
                state.certificate = next
                server.change(to: next)
                try addressFile.write(GatewayAddress(url: url, publicKeyPin: next.publicKeyPin))
                logger.notice("uses the new certificate in \(files.certificate)")
            } catch {
                guard state.error != "\(error)" else { return }
                state.error = "\(error)"
                logger.error("the certificate stays as it is: \(error)")
            }
        }
    }

    /// Reads the files again every minute, until the task is cancelled.
    func run(_ environment: Environment) async {
        while (try? await environment.sleep(Self.interval)) != nil { reread() }
    }
}
