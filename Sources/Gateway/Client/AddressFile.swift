import Foundation

/// The address of a gateway, for commands.
package struct GatewayAddress: Sendable, Hashable {
    /// The base URL without a trailing slash: `http://127.0.0.1:1338`.
    package var url: String
    /// The public key of a gateway with TLS, as in `CurlTransport.Configuration`. Nil without TLS, or to check the
    /// certificate as browsers do.
    package var publicKeyPin: String?
    /// The path of a PEM file with the authorities of the gateway's certificate; nil for those of the system.
    package var caFile: String?

    package init(url: String, publicKeyPin: String? = nil, caFile: String? = nil) {
        self.url = url
        self.publicKeyPin = publicKeyPin
        self.caFile = caFile
    }
}

/// The file `address` in a data directory, with the URL of the gateway that runs there. With TLS, a second line has the
/// public key, so that commands on this machine need no certificate of an authority and no host name. A gateway that was
/// killed leaves the file behind, so the address counts only while the directory is in use.
struct AddressFile {
    private let path: String

    /// - Parameter directory: the data directory.
    init(in directory: String) { path = directory + "/address" }

    /// The address in the file; nil without a file.
    var address: GatewayAddress? {
        guard let content = FileManager.default.contents(atPath: path) else { return nil }
        let lines = String(decoding: content, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
        guard let url = lines.first, url.hasPrefix("http://") || url.hasPrefix("https://") else { return nil }
        return GatewayAddress(url: url, publicKeyPin: lines.dropFirst().first)
    }

    /// Writes the address. Readers see the old content or the new one.
    /// - Throws: an error of Foundation.
    func write(_ address: GatewayAddress) throws {
        let lines = [address.url] + [address.publicKeyPin].compactMap { $0 }
        try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: path), options: .atomic)
        _ = chmod(path, 0o600)
    }

    /// Removes the file, if there is one.
    func remove() { unlink(path) }
}
