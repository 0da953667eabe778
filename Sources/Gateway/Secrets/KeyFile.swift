import Foundation
import StoreService

/// A file with one key, which only the owner of the process can read.
struct KeyFile {
    private let directory: String
    private let path: String

    /// - Parameters:
    ///   - name: the name of the file.
    ///   - directory: a directory that exists.
    init(_ name: String, in directory: String) {
        self.directory = directory
        path = directory + "/" + name
    }

    /// The gateway's own master key, used if the settings name no master key.
    /// - Parameter directory: the data directory, locked by this process.
    static func masterKey(in directory: String) -> KeyFile { KeyFile("master-key", in: directory) }

    /// Reads the key from the file. If there is no file, creates the file with a new key, and returns after the file is on disk.
    /// - Parameter make: makes the text of a new key.
    /// - Throws: `GatewayError`.
    func key(orNew make: () -> String) throws(GatewayError) -> Secret {
        guard let key = try key() else { return try save(make()) }
        // Restricts the file's permissions to the owner, because a copied or edited file can have wider permissions.
        _ = chmod(path, 0o600)
        return key
    }

    /// Reads the key from the file, and changes nothing.
    /// - Returns: nil if there is no file.
    /// - Throws: `GatewayError`.
    func key() throws(GatewayError) -> Secret? {
        if let data = FileManager.default.contents(atPath: path) { return try read(data) }
        guard !FileManager.default.fileExists(atPath: path) else {
            throw GatewayError("cannot read \(path): permission denied, or not a file")
        }
        return nil
    }

    /// Writes a new key to a temporary file and links that file, so that the key is never incomplete. If another process creates the
    /// key file at the same time, the result is that process's key.
    private func save(_ key: String) throws(GatewayError) -> Secret {
        let new = "\(path).\(ProcessInfo.processInfo.globallyUniqueString)"
        do { try DurableFile.make(Array((key + "\n").utf8), at: new) } catch { throw GatewayError(error) }
        defer { unlink(new) }
        if link(new, path) != 0 {
            if errno == EEXIST, let data = FileManager.default.contents(atPath: path) { return try read(data) }
            // Some file systems have no links.
            guard [EPERM, ENOTSUP].contains(errno), rename(new, path) == 0 else { throw failure("make", path) }
        }
        do { try DurableFile.sync(directory) } catch { throw GatewayError(error) }
        return Secret(key)
    }

    private func read(_ data: Data) throws(GatewayError) -> Secret {
        let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw GatewayError("\(path) holds no key of visible ASCII characters: delete the file to create a new key")
        }
        return Secret(text)
    }

    private func failure(_ operation: String, _ path: String) -> GatewayError {
        GatewayError("cannot \(operation) \(path): \(String(cString: strerror(errno)))")
    }
}
