import Foundation

/// The file that a request's body is read from, as far as it has been read.
final class UploadFile {
    private let descriptor: Int32
    private var left: Int

    /// - Returns: nil where it cannot be opened, or has another size by now.
    init?(_ file: HTTPClientRequest.BodyFile) {
        descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
        left = file.size
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int(status.st_size) == file.size else { return nil }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// - Returns: how many bytes there were: 0 at the end; nil where the file cannot be read.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard left > 0 else { return 0 }
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, min(buffer.count, left))
            if count < 0, errno == EINTR { continue }
            // Less than was announced would have the server wait for the rest.
            guard count > 0 else { return nil }
            left -= count
            return count
        }
    }
}
