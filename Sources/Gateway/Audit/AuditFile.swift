import Foundation
import StoreService

/// Writes an audit log to files: the current one, and older ones with a number at the end of the name.
struct AuditFile {
    /// The maximum number of files.
    static let filesMax = 5

    private let path: String
    private let bytesMax: Int
    private var descriptor: Int32?
    private var size = 0

    /// - Parameter bytesMax: the size in bytes at which a new file begins.
    init(path: String, bytesMax: Int) { (self.path, self.bytesMax) = (path, bytesMax) }

    /// Appends complete lines. After an error, the file has none of them.
    /// - Throws: `Failure`.
    mutating func append(_ lines: [UInt8]) throws(Failure) {
        if descriptor != nil, size > 0, size + lines.count > bytesMax { try rotate() }
        let file = try opened()
        var written = 0
        while written < lines.count {
            let rest = Array(lines[written...])
            let count = write(file, rest, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                let failure = Failure("write", path)
                // The next line must not follow half of another one.
                if ftruncate(file, off_t(size)) != 0 { close() }
                throw failure
            }
            written += count
        }
        size += lines.count
    }

    /// Waits until the lines are on disk.
    func synchronize() {
        if let descriptor { fsync(descriptor) }
    }

    mutating func close() {
        if let descriptor { Foundation.close(descriptor) }
        descriptor = nil
    }

    private mutating func opened() throws(Failure) -> Int32 {
        if let descriptor { return descriptor }
        let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Failure("open", path) }
        fchmod(file, 0o600)
        FileOwner.adopt(file, at: path)
        size = Int(lseek(file, 0, SEEK_END))
        descriptor = file
        return file
    }

    private mutating func rotate() throws(Failure) {
        close()
        for number in stride(from: Self.filesMax - 1, through: 1, by: -1) {
            let older = number == 1 ? path : "\(path).\(number - 1)"
            if rename(older, "\(path).\(number)") != 0, errno != ENOENT { throw Failure("rename", older) }
        }
        size = 0
    }

    /// The failure of a system call.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ operation: String, _ path: String) {
            description = "cannot \(operation) \(path): \(String(cString: strerror(errno)))"
        }
    }
}
