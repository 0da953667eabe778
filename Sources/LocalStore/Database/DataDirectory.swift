import Foundation
import StoreService

/// The directory of the file. It is created with mode 0700, and locked so that two daemons never share it.
package final class DataDirectory: Sendable {
    package let path: String
    private let lock: Int32

    /// - Throws: `StoreError.directoryInUse`, or `StoreError.file` if the directory cannot be created or opened.
    package init(path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError.file(operation: "make the data directory", path: path, message: Self.reason(error))
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
        // From here on deinit closes it, even if this throws.
        lock = file
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw StoreError.directoryInUse(path: self.path) }
    }

    deinit {
        // A process that was just forked keeps the lock until it starts its program, so closing alone would not release it.
        flock(lock, LOCK_UN)
        close(lock)
    }

    var databasePath: String { path + "/tidegate.sqlite" }

    /// Refuses to start with a new file in a directory that has lost its file. The other contents belong to the objects in the lost file,
    /// and SQLite deletes a log without its file when it creates another one.
    /// - Throws: `StoreError.fileMissing` if the file is missing or empty beside a key, contents or a log.
    func requireFileOfLeftovers() throws {
        var status = stat()
        let isThere = stat(databasePath, &status) == 0
        guard !isThere || status.st_size == 0 else { return }
        let found = try leftovers() + (Self.isFilled(databasePath + "-wal") ? ["tidegate.sqlite-wal"] : [])
        guard found.isEmpty else { throw StoreError.fileMissing(path: databasePath, isEmpty: isThere, beside: found) }
    }

    /// Refuses an unwritten file beside a key or contents of an earlier gateway.
    /// - Throws: `StoreError.fileMissing`.
    func requireNoLeftovers() throws {
        let found = try leftovers()
        guard found.isEmpty else { throw StoreError.fileMissing(path: databasePath, isEmpty: true, beside: found) }
    }

    /// The names of an earlier gateway's parts beside the file.
    private func leftovers() throws -> [String] {
        (Self.isFilled(path + "/master-key") ? ["master-key"] : [])
            + (try ContentDirectory(in: path).isEmpty ? [] : ["files"])
    }

    private static func isFilled(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// Creates the file with its final permissions, so that others can never read it.
    func makeDatabaseFile() throws {
        let file = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StoreError.file(operation: "open", path: databasePath, message: Self.systemMessage(errno))
        }
        close(file)
    }

    /// The file's number in its file system. A copy has another number, a renamed directory keeps it.
    func databaseFileNumber() throws -> Int64 {
        var status = stat()
        guard stat(databasePath, &status) == 0 else {
            throw StoreError.file(operation: "open", path: databasePath, message: Self.systemMessage(errno))
        }
        return Int64(status.st_ino)
    }

    /// Foundation wraps the system's message in its own errors.
    private static func reason(_ error: any Error) -> String {
        let error = error as NSError
        guard let system = error.userInfo[NSUnderlyingErrorKey] as? NSError, system.domain == NSPOSIXErrorDomain else {
            return error.code == CocoaError.fileWriteFileExists.rawValue
                ? systemMessage(EEXIST) : error.localizedDescription
        }
        return systemMessage(Int32(system.code))
    }

    static func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
}
