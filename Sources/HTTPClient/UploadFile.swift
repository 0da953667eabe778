import Foundation

/// The open file of a request body, read from front to back.
final class UploadFile {
    private let descriptor: Int32
    private var bytesLeft: Int

    /// Opens the file.
    /// - Returns: nil if the file cannot be opened, or if its size is no longer `file.size`.
    init?(_ file: HTTPClientRequest.BodyFile) {
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        bytesLeft = file.size
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int(status.st_size) == file.size else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Reads the next bytes.
    /// - Returns: the number of bytes read, 0 at the end; nil if the file is unreadable or has become shorter.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard bytesLeft > 0 else { return 0 }
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, min(buffer.count, bytesLeft))
            if count < 0, errno == EINTR { continue }
            // `count` is 0 if the file has become shorter, and -1 if it is unreadable. The transfer must then fail: otherwise the
            // server would wait for the rest of Content-Length.
            guard count > 0 else { return nil }
            bytesLeft -= count
            return count
        }
    }
}
