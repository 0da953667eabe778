import Foundation
import Synchronization

/// The content of one file while it is received into a temporary file. The temporary file is deleted together with the
/// draft, unless a store has moved it into the directory of contents.
package final class FileDraft: Sendable {
    /// The digest and size of a finished content.
    package struct Content: Sendable, Hashable {
        /// 64 hexadecimal digits.
        package let sha256: String
        /// In bytes.
        package let size: Int

        package init(sha256: String, size: Int) {
            self.sha256 = sha256
            self.size = size
        }
    }

    private struct State {
        var file: Int32
        var size = 0
        var content: Content?
    }

    /// The path of the draft's file.
    package let path: String
    private let state: Mutex<State>
    private let digest = ContentDigest()

    /// Creates the temporary file.
    /// - Throws: `StoreError` if the file cannot be created.
    package init(path: String) throws(StoreError) {
        self.path = path
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError.filesystem("make a file", path) }
        FileOwner.adopt(file, at: path)
        state = Mutex(State(file: file))
    }

    deinit {
        state.withLock { if $0.file >= 0 { close($0.file) } }
        // If a store has moved the file, there is no file at this path any more, and `unlink` does nothing.
        unlink(path)
    }

    /// The number of bytes received.
    package var size: Int { state.withLock { $0.size } }

    /// Appends bytes to the file.
    /// - Throws: `StoreError`, for example `.diskFull`. The draft is unusable after an error.
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

    /// Flushes the content to disk.
    /// - Returns: the digest and size of the content.
    package func finish() throws -> Content {
        try state.withLock { state in
            if let content = state.content { return content }
            guard fsync(state.file) == 0 else { throw StoreError.filesystem("write a file", path) }
            let content = Content(sha256: digest.finish(), size: state.size)
            state.content = content
            return content
        }
    }

    /// The content, mapped into memory.
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

extension StoreError {
    /// The error of the last system call, from `errno`.
    /// - Parameters:
    ///   - operation: a verb with an object, for example `write a file`.
    ///   - path: the path of the file.
    package static func filesystem(_ operation: String, _ path: String) -> StoreError {
        let code = errno
        // Reaching a limit on the size of files (EFBIG) counts as a full disk.
        if [ENOSPC, EDQUOT, EFBIG].contains(code) { return .diskFull }
        return .file(operation: operation, path: path, message: String(cString: strerror(code)))
    }

    /// The message of the operating system for an error of Foundation.
    package static func systemReason(of error: any Error) -> String {
        let error = error as NSError
        guard let system = error.userInfo[NSUnderlyingErrorKey] as? NSError, system.domain == NSPOSIXErrorDomain else {
            return error.code == CocoaError.fileWriteFileExists.rawValue
                ? String(cString: strerror(EEXIST)) : error.localizedDescription
        }
        return String(cString: strerror(Int32(system.code)))
    }
}
