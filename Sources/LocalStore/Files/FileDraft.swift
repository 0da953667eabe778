import Foundation
import Synchronization

/// A content that comes in piece by piece, and is nobody's yet. It lies in a file of its own, which goes with it unless
/// a store keeps it.
package final class FileDraft: Sendable {
    /// What has been written, all of it on disk.
    package struct Content: Sendable, Hashable {
        /// 64 hexadecimal digits.
        package let sha256: String
        /// In bytes.
        package let size: Int
    }

    private struct State {
        var file: Int32
        var size = 0
        var content: Content?
    }

    let path: String
    private let state: Mutex<State>
    private let digest = ContentDigest()

    /// - Throws: `StoreError` where the file cannot be made.
    init(path: String) throws {
        self.path = path
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError.filesystem("make a file", path) }
        state = Mutex(State(file: file))
    }

    deinit {
        state.withLock { if $0.file >= 0 { close($0.file) } }
        // A content that was kept has another name by now.
        unlink(path)
    }

    /// In bytes, so far.
    package var size: Int { state.withLock { $0.size } }

    /// - Throws: `StoreError.diskFull` and its like; then the draft is of no use any more.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        try state.withLock { state in
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = Self.writeAll(state.file, piece)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw StoreError.filesystem("write a file", path) }
                rest = rest.dropFirst(count)
            }
            digest.add(bytes)
            state.size += bytes.count
        }
    }

    /// Brings what was written to disk.
    package func finish() throws -> Content {
        try state.withLock { state in
            if let content = state.content { return content }
            guard fsync(state.file) == 0 else { throw StoreError.filesystem("write a file", path) }
            let content = Content(sha256: digest.finish(), size: state.size)
            state.content = content
            return content
        }
    }

    /// All that was written, as a part of the address space.
    package func mapped() throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    }

    private static func writeAll(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(file, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(file, bytes.baseAddress, bytes.count)
        #endif
    }
}
