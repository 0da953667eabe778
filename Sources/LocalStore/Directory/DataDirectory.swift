import Foundation
import StoreService

/// The data directory of a gateway. It has mode 0700, and a lock keeps a second process out.
package final class DataDirectory: Sendable {
    package let path: String
    private let lock: Int32

    /// Opens and locks the directory. Creates it if it is missing.
    /// - Throws: `StoreError.directoryInUse`, or `StoreError.file` if the directory cannot be created, opened or written.
    package init(path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError.file(
                operation: "make the data directory", path: path, message: StoreError.systemReason(of: error))
        }
        guard let real = realpath(path, nil) else {
            throw StoreError.file(operation: "open the data directory", path: path, message: Self.systemMessage(errno))
        }
        defer { free(real) }
        self.path = String(cString: real)
        _ = chmod(self.path, 0o700)
        let file = open(self.path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StoreError.file(
                operation: "write to the data directory", path: path, message: Self.systemMessage(errno))
        }
        // From here on `deinit` closes the lock file, even if this initializer throws.
        lock = file
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw StoreError.directoryInUse(path: self.path) }
    }

    deinit {
        // Unlocks before `close`: a child process between `fork` and `exec` also holds the descriptor, and would keep the lock
        // until its `exec`.
        flock(lock, LOCK_UN)
        close(lock)
    }

    /// Whether a process holds the lock of a directory. False for a directory without a lock file.
    static func isLocked(_ path: String) -> Bool {
        let file = open(path + "/lock", O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(file, LOCK_UN)
        return false
    }

    var databasePath: String { path + "/tidegate.sqlite" }

    /// Refuses a directory that has files of an earlier gateway, but no SQLite file or an empty one. Such files are a
    /// master key, file contents or a write-ahead log. They would not belong to a new SQLite file, and SQLite would
    /// delete the old write-ahead log.
    /// - Throws: `StoreError.fileMissing` for such a directory.
    func requireFileOfLeftovers() throws {
        var status = stat()
        let isThere = stat(databasePath, &status) == 0
        guard !isThere || status.st_size == 0 else { return }
        let found = try leftovers() + (Self.isFilled(databasePath + "-wal") ? ["tidegate.sqlite-wal"] : [])
        guard found.isEmpty else { throw StoreError.fileMissing(path: databasePath, isEmpty: isThere, beside: found) }
    }

    /// Refuses to create an SQLite file in a directory with a master key or file contents of an earlier gateway.
    /// - Throws: `StoreError.fileMissing` for such a directory.
    func requireNoLeftovers() throws {
        let found = try leftovers()
        guard found.isEmpty else { throw StoreError.fileMissing(path: databasePath, isEmpty: true, beside: found) }
    }

    /// The names of files that an earlier gateway has left in the directory: `master-key` for a file with a key,
    /// `files` for contents.
    private func leftovers() throws -> [String] {
        (Self.isFilled(path + "/master-key") ? ["master-key"] : [])
            + (try ContentDirectory(in: path).isEmpty ? [] : ["files"])
    }

    private static func isFilled(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// Creates the file with its final permissions, so that other users can never read it.
    func makeDatabaseFile() throws {
        let file = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StoreError.file(operation: "open", path: databasePath, message: Self.systemMessage(errno))
        }
        close(file)
    }

    static func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
}
