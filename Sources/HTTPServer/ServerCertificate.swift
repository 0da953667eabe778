import CGnuTLS
import Foundation
import Synchronization

/// The certificate chain of a server with TLS, and its private key.
package final class ServerCertificate: @unchecked Sendable {
    // The handle is constant after `init`. GnuTLS reads it from any number of threads.
    private let credentials: gnutls_certificate_credentials_t
    /// The texts in PEM.
    let chain: [UInt8]
    let privateKey: [UInt8]
    /// The SHA-256 of the public key as libcurl takes it for a comparison: `sha256//` and Base64.
    package let publicKeyPin: String

    /// - Parameters:
    ///   - chain: the certificate of the server, and those of its intermediate authorities, in PEM.
    ///   - privateKey: the private key in PEM, without a password.
    /// - Throws: ``ServerCertificateError``.
    package init(chain: [UInt8], privateKey: [UInt8]) throws(ServerCertificateError) {
        var made: gnutls_certificate_credentials_t?
        guard gnutls_certificate_allocate_credentials(&made) >= 0, let made else {
            throw ServerCertificateError("memory is exhausted")
        }
        var digest = [UInt8](repeating: 0, count: 32)
        var code = tidegate_tls_read(made, chain, chain.count, privateKey, privateKey.count)
        if code >= 0 { code = tidegate_tls_key_digest(made, &digest) }
        guard code >= 0 else {
            gnutls_certificate_free_credentials(made)
            throw ServerCertificateError(code)
        }
        credentials = made
        (self.chain, self.privateKey) = (chain, privateKey)
        publicKeyPin = "sha256//" + Data(digest).base64EncodedString()
    }

    deinit { gnutls_certificate_free_credentials(credentials) }

    /// Whether both have the same chain and the same private key.
    package func isSame(as other: ServerCertificate) -> Bool { chain == other.chain && privateKey == other.privateKey }

    /// Lets a TLS session use the certificate. Called before the handshake of the session.
    func use(in session: OpaquePointer) {
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
    }
}

/// The reason, in a few words, why a certificate and a key cannot be used.
package struct ServerCertificateError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    init(_ code: Int32) {
        switch code {
        case GNUTLS_E_CERTIFICATE_KEY_MISMATCH: description = "the key does not belong to the certificate"
        case GNUTLS_E_BASE64_DECODING_ERROR, GNUTLS_E_BASE64_UNEXPECTED_HEADER_ERROR, GNUTLS_E_NO_CERTIFICATE_FOUND:
            description = "the certificate or the key is not in PEM"
        case GNUTLS_E_DECRYPTION_FAILED: description = "the key has a password"
        default: description = String(cString: gnutls_strerror(code))
        }
    }
}

/// The certificates of a running server with TLS.
final class ServerCertificates: Sendable {
    /// The certificates that the server has used, the present one last. All are kept until the server ends, because GnuTLS
    /// does not tell when it has used one for the last time.
    private let all: Mutex<[ServerCertificate]>

    init(_ first: ServerCertificate) { all = Mutex([first]) }

    /// Lets connections that begin later use another certificate.
    func change(to certificate: ServerCertificate) { all.withLock { $0.append(certificate) } }

    /// Lets a TLS session use the present certificate.
    func use(in session: OpaquePointer) { all.withLock { $0[$0.count - 1] }.use(in: session) }
}
