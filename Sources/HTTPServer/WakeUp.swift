import Foundation

/// Ends another thread's `poll`: a pipe that one side writes to.
final class WakeUp: Sendable {
    /// To be polled for reading.
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
        // A full pipe is as good: the other side wakes up in any case.
        _ = write(writing, &byte, 1)
    }

    /// Takes back all signals so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }
}
