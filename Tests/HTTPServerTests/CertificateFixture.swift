import Foundation
import Testing

@testable import HTTPServer

/// A self-signed certificate for 127.0.0.1 and localhost, made by `openssl` for one test.
final class CertificateFixture: Sendable {
    let directory: URL
    var certificatePath: String { directory.appending(path: "certificate.pem").path }
    var keyPath: String { directory.appending(path: "key.pem").path }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "certificate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        try renew()
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    /// Writes another certificate with another key.
    func renew() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", keyPath,
            "-out", certificatePath,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    var chain: [UInt8] { get throws { Array(try Data(contentsOf: URL(filePath: certificatePath))) } }
    var privateKey: [UInt8] { get throws { Array(try Data(contentsOf: URL(filePath: keyPath))) } }

    func certificate() throws -> ServerCertificate {
        try ServerCertificate(chain: try chain, privateKey: try privateKey)
    }
}
