import Foundation

/// Interrupts `poll` on another thread, by a byte in a pipe.
final class WakeUp: Sendable {
    /// The descriptor to poll for reading.
    let descriptor: Int32
    private let writing: Int32

    init() throws(HTTPServerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .cannotListen(reason: "pipe: \(systemErrorText(errno))") }
        descriptor = ends[0]
        writing = ends[1]
        ends.forEach(prepare(descriptor:))
    }

    deinit {
        _ = close(descriptor)
        _ = close(writing)
    }

    func signal() {
        var byte: UInt8 = 1
        // If the pipe is full, the write fails. The bytes in the pipe interrupt `poll` anyway.
        _ = write(writing, &byte, 1)
    }

    /// Discards all wake-ups received so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
