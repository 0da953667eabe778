import Foundation

/// The permissions of files.
enum FileMode {
    /// Whether another user than the owner may read the file.
    static func isReadableByOthers(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue else { return false }
        return mode & 0o044 != 0
    }
}
