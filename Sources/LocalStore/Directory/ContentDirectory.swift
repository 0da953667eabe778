import Foundation
import ParseModel
import StoreService

/// The directory with the contents of files. Each content is stored once, under the SHA-256 of its bytes:
/// `files/ab/ab12…` in the data directory. Unfinished uploads and downloads are in `files/drafts`.
struct ContentDirectory: Sendable {
    let path: String
    /// The directory of another store, from which contents are only read; nil for none.
    private let shared: String?
    private var drafts: String { path + "/drafts" }

    /// Sets the paths, and creates no directory. The first draft creates the directory.
    /// - Parameter sharedDirectory: the data directory of another store whose contents are read, too; nil for none.
    init(in dataDirectory: String, sharedDirectory: String? = nil) {
        path = dataDirectory + "/files"
        shared = sharedDirectory.map { $0 + "/files" }
    }

    /// Removes the drafts that an earlier process has left behind.
    func forgetDrafts() { try? FileManager.default.removeItem(atPath: drafts) }

    /// The path of a content in this directory, or in the other store's directory if only that has the content.
    func path(of sha256: String) -> String {
        let own = ownPath(of: sha256)
        guard let shared, access(own, F_OK) != 0 else { return own }
        return Self.path(of: sha256, in: shared)
    }

    private func ownPath(of sha256: String) -> String { Self.path(of: sha256, in: path) }

    private static func path(of sha256: String, in directory: String) -> String {
        "\(directory)/\(sha256.prefix(2))/\(sha256)"
    }

    func draft(named name: String) throws -> FileDraft {
        for directory in [path, drafts] { try Self.make(directory) }
        return try FileDraft(path: drafts + "/" + name)
    }

    /// Finishes a draft, and moves it to the path of its digest. The file is on disk when the call returns. It replaces
    /// a file with the same content.
    func keep(_ draft: FileDraft) throws -> FileDraft.Content {
        let content = try draft.finish()
        let target = ownPath(of: content.sha256)
        let directory = (target as NSString).deletingLastPathComponent
        try Self.make(directory)
        guard rename(draft.path, target) == 0 else { throw StoreError.filesystem("keep a file", target) }
        try DurableFile.sync(directory)
        return content
    }

    /// Adds a content of another directory, as a link or else as a copy. Does nothing if the content is missing there.
    func adopt(_ sha256: String, from other: ContentDirectory) throws {
        let (source, target) = (other.path(of: sha256), ownPath(of: sha256))
        for directory in [path, (target as NSString).deletingLastPathComponent] { try Self.make(directory) }
        if link(source, target) == 0 || errno == ENOENT { return }
        do { try FileManager.default.copyItem(atPath: source, toPath: target) } catch {
            guard access(source, F_OK) == 0 else { return }
            throw StoreError.file(
                operation: "copy", path: source, message: (error as NSError).localizedDescription)
        }
    }

    func remove(_ sha256: String) { unlink(ownPath(of: sha256)) }

    /// The digests of contents that were written before `deadline`.
    func all(before deadline: ParseDate) throws -> [String] {
        try all().filter { sha256 in
            var status = stat()
            guard stat(ownPath(of: sha256), &status) == 0 else { return false }
            #if canImport(Glibc)
                let seconds = status.st_mtim.tv_sec
            #else
                let seconds = status.st_mtimespec.tv_sec
            #endif
            return Int64(seconds) * 1000 < deadline.milliseconds
        }
    }

    /// Whether there are no contents.
    /// - Throws: `StoreError.file` if the directory cannot be read.
    var isEmpty: Bool { get throws { try all().isEmpty } }

    /// The digests of all contents.
    /// - Throws: `StoreError.file`.
    func all() throws -> [String] {
        guard access(path, F_OK) == 0 || errno != ENOENT else { return [] }
        return try Self.names(in: path).filter { $0.count == 2 }.flatMap { try Self.names(in: "\(path)/\($0)") }
    }

    private static func names(in directory: String) throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: directory)
        } catch {
            let reason = (error as NSError).localizedDescription
            throw StoreError.file(operation: "read the directory", path: directory, message: reason)
        }
    }

    private static func make(_ directory: String) throws {
        guard mkdir(directory, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw StoreError.filesystem("make a directory", directory)
        }
        FileOwner.adopt(directory: directory)
        try DurableFile.syncDirectory(of: directory)
    }
}
