import Foundation

/// Writes small files so that they survive a power failure.
package enum DurableFile {
    /// Writes a new file, and returns after its content is on disk. Its name is on disk after `sync` of its directory.
    /// - Parameter mode: the permissions of the file.
    /// - Throws: `StoreError`, also if the file exists. A file that was written in part is removed.
    package static func make(_ bytes: [UInt8], at path: String, mode: mode_t = 0o600) throws(StoreError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard file >= 0 else { throw StoreError.filesystem("make", path) }
        defer { close(file) }
        FileOwner.adopt(file, at: path)
        do { try fill(file, with: bytes, path) } catch {
            unlink(path)
            throw error
        }
    }

    /// Makes or replaces a file, and returns after it is on disk. Readers and a power failure see the old file or the
    /// complete new one.
    /// - Throws: `StoreError`. The old file is then unchanged, unless only its directory could not be written to disk.
    package static func replace(_ path: String, with bytes: [UInt8], mode: mode_t = 0o600) throws(StoreError) {
        let draft = "\(path).\(ProcessInfo.processInfo.globallyUniqueString)"
        try make(bytes, at: draft, mode: mode)
        guard rename(draft, path) == 0 else {
            let error = StoreError.filesystem("write", path)
            unlink(draft)
            throw error
        }
        try syncDirectory(of: path)
    }

    /// Writes a file or a directory to disk. The entries of a directory, such as a new or renamed file, then survive a power
    /// failure.
    package static func sync(_ path: String) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError.filesystem("open", path) }
        defer { close(file) }
        guard fsync(file) == 0 else { throw StoreError.filesystem("write", path) }
    }

    /// Writes the directory of a file or directory to disk.
    package static func syncDirectory(of path: String) throws(StoreError) {
        let directory = (path as NSString).deletingLastPathComponent
        try sync(directory.isEmpty ? "." : directory)
    }

    private static func fill(_ file: Int32, with bytes: [UInt8], _ path: String) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let rest = Array(bytes[written...].prefix(1 << 20))
            let count = Foundation.write(file, rest, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreError.filesystem("write", path) }
            written += count
        }
        guard fsync(file) == 0 else { throw StoreError.filesystem("write", path) }
    }
}
