import Foundation
import GatewayAPI
import ParseModel
import Passwords
import StoreService

/// Encrypts the session tokens of a gateway's users, and names the directories of their spaces.
struct SpaceKey: Sendable {
    private let seal: TokenSeal
    private let remote: StoreIdentity.Remote
    private let replicaId: String

    /// - Parameter file: the path of the file with the encryption key. If there is no file, it is created.
    /// - Throws: `GatewayError`.
    init(file: String, remote: StoreIdentity.Remote, replicaId: String) throws(GatewayError) {
        (self.remote, self.replicaId) = (remote, replicaId)
        let (directory, name) = ((file as NSString).deletingLastPathComponent, (file as NSString).lastPathComponent)
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw GatewayError(
                "cannot make the directory \(directory) of the session key: \(error.localizedDescription)")
        }
        let text = try KeyFile(name, in: directory).key { Hexadecimal.text(of: TokenSeal.newKey()) }
        guard let key = Hexadecimal.bytes(of: text.value), key.count == TokenSeal.keySize else {
            throw GatewayError(
                "\(file) holds no session key of \(2 * TokenSeal.keySize) hexadecimal digits: delete the file to create a new "
                    + "one. Users then have to log in again before their changes are sent")
        }
        seal = TokenSeal(key: key)
    }

    func sealed(_ token: String, of userId: String) -> [UInt8] { seal.sealed(token, of: owner(userId)) }

    /// The token of a session; nil if it was encrypted with another key.
    func token(of session: KnownSession) -> String? { seal.opened(session.sealed, of: owner(session.userId)) }

    private func owner(_ userId: String) -> String { JSONValue.array([.string(userId), .string(replicaId)]).jsonText }

    /// The name of the directory of a user's space: the SHA-256 of the remote's identity and the user's id. An id may hold any
    /// character, and some file systems ignore case.
    func directory(of userId: String) -> String {
        let facts = [remote.kind, remote.url, remote.applicationId ?? "", userId].map(JSONValue.string)
        return ContentDigest.text(of: JSONValue.array(facts).jsonText)
    }
}
