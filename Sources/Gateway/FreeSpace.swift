import Foundation

/// The room that is left on a disk.
enum FreeSpace {
    /// How many bytes this user may still write below a path; nil where that cannot be told.
    static func bytes(at path: String) -> Int? {
        var figures = statvfs()
        guard statvfs(path, &figures) == 0 else { return nil }
        let bytes = UInt64(figures.f_bavail).multipliedReportingOverflow(by: UInt64(figures.f_frsize))
        return bytes.overflow ? Int.max : Int(clamping: bytes.partialValue)
    }
}
