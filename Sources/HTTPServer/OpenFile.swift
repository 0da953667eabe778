import Foundation

/// A file that stays open for as long as anybody refers to this, also where its name is taken away meanwhile.
package final class OpenFile: Sendable {
    package let descriptor: Int32

    /// - Parameter descriptor: of a regular file, open for reading; closed with this object.
    package init(descriptor: Int32) { self.descriptor = descriptor }

    /// - Returns: nil where the file cannot be read; `errno` says why.
    package convenience init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor)
    }

    deinit { _ = close(descriptor) }

    /// The file's length now, in bytes.
    package var byteCount: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }
}

/// Successive bytes of an open file.
package struct FileRange: Sendable {
    package let file: OpenFile
    package let offset: Int64
    package let count: Int64

    /// - Parameter count: bytes; where the file has fewer the answer is 500 instead.
    package init(_ file: OpenFile, offset: Int64, count: Int64) {
        precondition(offset >= 0 && count >= 0)
        self.file = file
        self.offset = offset
        self.count = count
    }

    var isThere: Bool { file.byteCount - offset >= count }

    /// The bytes, for callers without a server; fewer where the file is shorter or cannot be read.
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
