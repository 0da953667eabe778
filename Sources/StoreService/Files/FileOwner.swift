import Foundation

/// The owner of the files that a command makes in a data directory. A command that root runs must not leave files there that
/// belong to root: the gateway, which runs as the owner of the directory, could not read them. SQLite does the same with its
/// journals.
package enum FileOwner {
    /// Gives a new file or directory of root to the owner of its directory. Does nothing if another user runs the program. A failure
    /// leaves the owner as it is.
    /// - Parameters:
    ///   - file: a descriptor of the file or directory. A link is never followed, because the owner of the directory may have made it.
    package static func adopt(_ file: Int32, at path: String) {
        guard geteuid() == 0 else { return }
        let directory = (path as NSString).deletingLastPathComponent
        var (parent, own) = (stat(), stat())
        guard stat(directory.isEmpty ? "." : directory, &parent) == 0, parent.st_uid != 0,
            fstat(file, &own) == 0, own.st_uid == 0, own.st_nlink == 1 || own.st_mode & S_IFMT == S_IFDIR
        else { return }
        _ = fchown(file, parent.st_uid, parent.st_gid)
    }

    /// Does the same with a directory.
    package static func adopt(directory path: String) {
        guard geteuid() == 0 else { return }
        let file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { return }
        adopt(file, at: path)
        close(file)
    }
}
