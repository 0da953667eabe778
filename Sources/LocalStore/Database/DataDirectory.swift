import Foundation
import StoreService

/// The directory that holds the file: made 0700, and locked so that two daemons never share it.
package final class DataDirectory: Sendable {
    package let path: String
    private let lock: Int32

    /// - Throws: `StoreError.directoryInUse`, or `StoreError.file` where the directory cannot be made or opened.
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
        // From here on deinit closes it, also where this throws.
        lock = file
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw StoreError.directoryInUse(path: self.path) }
    }

    deinit {
        // Closing alone would leave the lock to a process that has just been forked, until it starts its program.
        flock(lock, LOCK_UN)
        close(lock)
    }

    var databasePath: String { path + "/tidegate.sqlite" }

    /// Refuses to begin anew in a directory that has lost its file: its other contents belong to the objects in that file, and a
    /// log without its file is lost as soon as SQLite makes another one.
    /// - Throws: `StoreError.fileMissing` where the file is missing or empty beside a key, contents or a log.
    func requireFileOfLeftovers() throws {
        var status = stat()
        let isThere = stat(databasePath, &status) == 0
        guard !isThere || status.st_size == 0 else { return }
        let found = try leftovers() + (Self.isFilled(databasePath + "-wal") ? ["tidegate.sqlite-wal"] : [])
        guard found.isEmpty else { throw StoreError.fileMissing(path: databasePath, isEmpty: isThere, beside: found) }
    }

    /// Refuses a file that no gateway has written to yet, beside a key or contents of an earlier one.
    /// - Throws: `StoreError.fileMissing`.
    func requireNoLeftovers() throws {
        let found = try leftovers()
        guard found.isEmpty else { throw StoreError.fileMissing(path: databasePath, isEmpty: true, beside: found) }
    }

    /// The parts of an earlier gateway beside the file, by their names.
    private func leftovers() throws -> [String] {
        (Self.isFilled(path + "/master-key") ? ["master-key"] : [])
            + (try ContentDirectory(in: path).isEmpty ? [] : ["files"])
    }

    private static func isFilled(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    /// Makes the file with its final permissions, so that it is never readable by others, not even for a moment.
    func makeDatabaseFile() throws {
        let file = open(databasePath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw StoreError.file(operation: "open", path: databasePath, message: Self.systemMessage(errno))
        }
        close(file)
    }

    /// The file's number in its file system: a copy has another one, a renamed directory keeps it.
    func databaseFileNumber() throws -> Int64 {
        var status = stat()
        guard stat(databasePath, &status) == 0 else {
            throw StoreError.file(operation: "open", path: databasePath, message: Self.systemMessage(errno))
        }
        return Int64(status.st_ino)
    }

    /// Foundation keeps the system's word inside its own errors.
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
