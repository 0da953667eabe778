import Foundation
import GatewayAPI
import ParseModel
import Passwords
import StoreService
import Synchronization

/// The key that encrypts the session tokens of a gateway's users. The file with the key is created for the first token.
final class SpaceKey: Sendable {
    private let directory: String
    private let name: String
    private let replicaId: String
    private let keys = Mutex<Keys?>(nil)
    private let isLossNoted = Mutex(false)

    private struct Keys: Sendable {
        let seal: TokenSeal
        let pepper: PasswordPepper
    }

    /// - Parameter file: the absolute path of the file with the key.
    init(file: String, replicaId: String) {
        self.replicaId = replicaId
        (directory, name) = ((file as NSString).deletingLastPathComponent, (file as NSString).lastPathComponent)
    }

    var path: String { directory + "/" + name }

    /// Checks the file with the key, or that the file can be created. Creates and changes nothing.
    /// - Throws: `GatewayError`.
    static func check(_ path: String) throws(GatewayError) {
        let file = SpaceKey(file: path, replicaId: "")
        if let text = try KeyFile(file.name, in: file.directory).key() {
            _ = try file.key(text)
            return
        }
        var place = (path as NSString).deletingLastPathComponent
        while !FileManager.default.fileExists(atPath: place), place.count > 1 {
            place = (place as NSString).deletingLastPathComponent
        }
        guard FileManager.default.isWritableFile(atPath: place) else {
            throw GatewayError("the session key \(path) cannot be created: no permission to write to \(place)")
        }
    }

    /// Encrypts a token.
    /// - Parameter userId: the user of the session; nil if it is not known.
    /// - Throws: `GatewayError` if the key is unusable.
    func sealed(_ token: String, of userId: String?) throws(GatewayError) -> [UInt8] {
        try opened().seal.sealed(token, of: user(userId))
    }

    /// The token of a session; nil if the key is unusable, or the token was encrypted with another key.
    func token(of session: KnownSession) -> String? { token(session.sealed, of: session.userId) }

    /// The token of a session that was logged out; nil if the key is unusable, or the token was encrypted with another
    /// key.
    func token(of logOut: UnsentLogOut) -> String? { token(logOut.sealed, of: logOut.userId) }

    private func token(_ sealed: [UInt8], of userId: String?) -> String? {
        // If the file is missing, a new key would decrypt no stored token.
        guard keys.withLock({ $0 != nil }) || FileManager.default.fileExists(atPath: path) else { return nil }
        return try? opened().seal.opened(sealed, of: user(userId))
    }

    /// Records that a token could not be decrypted with the key.
    /// - Returns: whether this is the first time.
    func noteLoss() -> Bool {
        isLossNoted.withLock { isNoted in
            defer { isNoted = true }
            return !isNoted
        }
    }

    /// The text that is hashed in place of a password: the password combined with the key.
    /// - Throws: `GatewayError` if the key is unusable.
    func peppered(_ password: String, of userId: String) throws(GatewayError) -> String {
        try opened().pepper.peppered(password, of: user(userId))
    }

    /// The ids of the user and of this replica as one text, which binds a ciphertext or a hash to both.
    private func user(_ userId: String?) -> String {
        JSONValue.array([userId.map(JSONValue.string) ?? .null, .string(replicaId)]).jsonText
    }

    private func opened() throws(GatewayError) -> Keys {
        try keys.withLock { (keys) throws(GatewayError) in
            if let keys { return keys }
            let secret = try key()
            let made = Keys(seal: TokenSeal(key: secret), pepper: PasswordPepper(from: secret))
            keys = made
            return made
        }
    }

    /// Opens the file with the key if there is one. Its permissions are then restricted to the owner.
    /// - Throws: `GatewayError` if the key is unusable, or the file cannot be created later.
    func prepare() throws(GatewayError) {
        try Self.check(path)
        if FileManager.default.fileExists(atPath: path) { _ = try opened() }
    }

    /// Reads the key from the file, or creates the file.
    private func key() throws(GatewayError) -> [UInt8] {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw GatewayError(
                "cannot make the directory \(directory) of the session key: \(error.localizedDescription)")
        }
        return try key(KeyFile(name, in: directory).key { Hexadecimal.text(of: TokenSeal.newKey()) })
    }

    private func key(_ text: Secret) throws(GatewayError) -> [UInt8] {
        guard let key = Hexadecimal.bytes(of: text.value), key.count == TokenSeal.keySize else {
            throw GatewayError(
                "\(path) holds no session key of \(2 * TokenSeal.keySize) hexadecimal digits: delete the file to create a new "
                    + "one. Users then have to log in again before their changes are sent")
        }
        return key
    }
}
