import Foundation
import HTTPServer

/// The paths of a certificate for TLS and of its private key.
package struct CertificateFiles: Sendable, Hashable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads both files.
    /// - Throws: `GatewayError`, one line with the setting or the file.
    func read() throws(GatewayError) -> ServerCertificate {
        let chain = try Self.content(of: certificate, Setting.tlsCertificate)
        let privateKey = try Self.content(of: key, Setting.tlsKey)
        do { return try ServerCertificate(chain: chain, privateKey: privateKey) } catch {
            throw GatewayError("\(certificate) and \(key) cannot be used for TLS: \(error)")
        }
    }

    private static func content(of path: String, _ setting: Setting) throws(GatewayError) -> [UInt8] {
        do { return Array(try Data(contentsOf: URL(filePath: path))) } catch {
            throw GatewayError("\(setting.option): cannot read \(path)")
        }
    }
}
