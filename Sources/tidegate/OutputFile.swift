import Foundation
import Gateway
import StoreService

/// A file that appears at its path when it is complete and on disk, or standard output. Nothing is left of a file that was not
/// finished.
final class OutputFile: Sendable {
    private let path: String
    private let handle: FileHandle

    private var isStandardOutput: Bool { path == "-" }
    private var draftPath: String { path + ".partial" }

    init(_ path: String) throws {
        self.path = path
        guard path != "-" else {
            handle = .standardOutput
            return
        }
        guard FileManager.default.createFile(atPath: path + ".partial", contents: nil),
            let handle = FileHandle(forWritingAtPath: path + ".partial")
        else { throw ConfigurationError("cannot write \(path)") }
        self.handle = handle
    }

    deinit {
        // `finish` has renamed the draft of a complete file.
        if !isStandardOutput { unlink(draftPath) }
    }

    /// - Returns: false if the bytes cannot be written.
    func write(_ bytes: some Sequence<UInt8>) -> Bool {
        (try? handle.write(contentsOf: Data(bytes))) != nil
    }

    func finish() throws {
        guard !isStandardOutput else { return }
        try handle.synchronize()
        try handle.close()
        guard rename(draftPath, path) == 0 else { throw ConfigurationError("cannot write \(path)") }
        try DurableFile.syncDirectory(of: path)
    }
}
