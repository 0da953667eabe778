import Foundation

/// The permissions of a file.
struct FileMode {
    /// The permission bits, such as 0o640.
    let bits: Int
    /// The user id of the owner.
    let owner: Int

    /// The permissions of a file, or of the file to which a symbolic link leads. Fails if they are unknown.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        bits = Int(status.st_mode & 0o7777)
        owner = Int(status.st_uid)
    }

    /// Whether users other than the owner can read the file; false if the permissions are unknown.
    static func isReadableByOthers(_ path: String) -> Bool { FileMode(path).map { $0.bits & 0o044 != 0 } ?? false }
}

/// A file with keys that other users of the machine can read.
package struct ExposedFile: Sendable, Hashable {
    let path: String
    /// What keeps the others from reading the file, as a phrase.
    let advice: String

    /// Fails if only the owner can read the file. The user of the gateway reads the file of another owner, such as root, by the
    /// rights of a group: that file is exposed only if everybody can read it.
    init?(_ path: String, user: Int = Int(geteuid())) {
        guard let mode = FileMode(path) else { return nil }
        if mode.owner == user {
            guard mode.bits & 0o044 != 0 else { return nil }
            advice = "chmod 600 \(path)"
        } else {
            guard mode.bits & 0o004 != 0, Self.everybodyReaches(path) else { return nil }
            advice = "let only its owner and the user of the gateway read it"
        }
        self.path = path
    }

    /// Whether every user may pass through the directories of a file.
    private static func everybodyReaches(_ path: String) -> Bool {
        var directory = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent()
        while true {
            guard let mode = FileMode(directory.path), mode.bits & 0o001 != 0 else { return false }
            guard directory.path != "/" else { return true }
            directory.deleteLastPathComponent()
        }
    }
}
