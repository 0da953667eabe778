import Foundation

/// Reads the free disk space of a directory, in bytes.
enum FreeSpace {
    /// The bytes available to this user on the file system of a path; nil if unknown.
    static func bytes(at path: String) -> Int? {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        let bytes = UInt64(figures.f_bavail).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
        return bytes.overflow ? Int.max : Int(clamping: bytes.partialValue)
    }
}
