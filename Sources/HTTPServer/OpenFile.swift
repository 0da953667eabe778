import Foundation

/// An open file. It stays readable as long as this object exists, even after the file is deleted.
package final class OpenFile: Sendable {
    package let descriptor: Int32

    /// - Parameter descriptor: the descriptor of a regular file, open for reading. This object closes the descriptor.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// Opens a file for reading.
    /// - Returns: nil, with `errno` set, if the file cannot be opened.
    package convenience init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }

    deinit { _ = close(descriptor) }

    /// The current length of the file in bytes; 0 if `fstat` fails.
    package var byteCount: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }
}

/// A byte range of an open file.
package struct FileRange: Sendable {
    package let file: OpenFile
    package let offset: Int64
    package let count: Int64

    /// - Parameters:
    ///   - offset: the number of bytes in the file before the range.
    ///   - count: the length of the range in bytes. If the file ends within the range, the server responds with status 500.
    package init(_ file: OpenFile, offset: Int64, count: Int64) {
        precondition(offset >= 0 && count >= 0)
        self.file = file
        self.offset = offset
        self.count = count
    }

    /// Whether the file contains the whole range.
    var isAvailable: Bool { file.byteCount - offset >= count }

    /// Reads the range into memory; fewer bytes if the file is shorter or unreadable.
    package func bytes() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            while filled < buffer.count {
                let read = pread(
                    file.descriptor, buffer.baseAddress! + filled, buffer.count - filled, off_t(offset) + off_t(filled))
                guard read > 0 else { return }
                filled += read
            }
        }
    }
}
