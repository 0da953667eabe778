import Foundation
import StoreService

/// The files of a data directory that belong to a backup, besides its stores.
enum BackupFiles {
    /// The gateway's own master key, the connection that was chosen on the page, and the audit log. The key of session
    /// tokens is not in the data directory, so that no backup contains both the tokens and their key.
    static let names =
        ["master-key", "connection.yaml", "audit.log"] + (1..<AuditFile.filesMax).map { "audit.log.\($0)" }

    /// The directories with a store, relative to the data directory: the directory itself, and those of the users'
    /// spaces, sorted.
    /// - Throws: `GatewayError` if a directory cannot be read. A backup without the store of a user must not look complete.
    static func stores(in directory: String) throws(GatewayError) -> [String] {
        let users = SpaceNames.directory(in: directory)
        guard try exists(users) else { return [""] }
        var stores = [""]
        for name in try list(users, FileManager.default.contentsOfDirectory).sorted() {
            let space = (users as NSString).lastPathComponent + "/" + name
            if try exists("\(directory)/\(space)/tidegate.sqlite") { stores.append(space) }
        }
        return stores
    }

    /// - Throws: `GatewayError` if the directory has no store, or cannot be read.
    static func requireStore(in directory: String) throws(GatewayError) {
        guard try exists(directory + "/tidegate.sqlite") else {
            throw GatewayError("\(directory) is not the data directory of a gateway: it has no tidegate.sqlite")
        }
    }

    /// - Throws: `GatewayError` if it is unknown whether the file exists.
    private static func exists(_ path: String) throws(GatewayError) -> Bool {
        if access(path, F_OK) == 0 { return true }
        guard [ENOENT, ENOTDIR].contains(errno) else { throw failure("read", path) }
        return false
    }

    private static func list(
        _ directory: String, _ names: (String) throws -> [String]
    ) throws(GatewayError) -> [String] {
        do { return try names(directory) } catch {
            throw GatewayError("cannot read \(directory): \(error.localizedDescription)")
        }
    }

    /// All files below a directory, relative to it and sorted.
    /// - Throws: `GatewayError` for anything but files and directories, and for a directory that cannot be read.
    static func all(below directory: String) throws(GatewayError) -> [String] {
        var paths: [String] = []
        for path in try list(directory, FileManager.default.subpathsOfDirectory) {
            var status = stat()
            guard lstat("\(directory)/\(path)", &status) == 0 else { throw failure("read", "\(directory)/\(path)") }
            switch status.st_mode & S_IFMT {
            case S_IFREG: paths.append(path)
            case S_IFDIR: continue
            default: throw GatewayError("\(path) is neither a file nor a directory")
            }
        }
        return paths.sorted()
    }

    /// The sizes in bytes of the files of all stores in a data directory, and of the contents of files. Files that cannot be read do
    /// not count.
    static func sizes(in directory: String) -> (stores: Int, contents: Int) {
        let spaces = (try? stores(in: directory)) ?? []
        return spaces.map { $0.isEmpty ? directory : "\(directory)/\($0)" }.reduce((0, 0)) { sum, place in
            let contents = "\(place)/files"
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: contents)) ?? []
            return (
                sum.0 + size(of: place + "/tidegate.sqlite"),
                sum.1 + names.reduce(0) { $0 + size(of: "\(contents)/\($1)") }
            )
        }
    }

    /// The size of a file in bytes; 0 for a directory, and if there is no such file.
    static func size(of path: String) -> Int {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return 0 }
        return Int(status.st_size)
    }

    /// Writes a file or a directory to disk.
    static func synchronize(_ path: String) throws(GatewayError) {
        do { try DurableFile.sync(path) } catch { throw GatewayError(error) }
    }

    static func makeDirectory(_ path: String) throws(GatewayError) {
        guard mkdir(path, 0o700) == 0 else { throw failure("make the directory", path) }
    }

    static func failure(_ operation: String, _ path: String) -> GatewayError {
        GatewayError("cannot \(operation) \(path): \(String(cString: strerror(errno)))")
    }
}
