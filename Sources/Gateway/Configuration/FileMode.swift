import Foundation

/// File permissions.
enum FileMode {
    /// Whether users other than the owner can read the file; false if the permissions are unknown.
    static func isReadableByOthers(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue else { return false }
        return mode & 0o044 != 0
    }
}
