import ParseModel
import StoreService

/// The list of the files in a backup, stored as its first member `manifest.json`.
package struct BackupManifest: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        /// The path in the data directory: `tidegate.sqlite`.
        package let path: String
        package let content: FileDraft.Content
    }

    static let name = "manifest.json"
    /// The version of the form of a backup.
    static let formatVersion = 1
    /// The maximum size of a manifest in bytes: two million files.
    static let bytesMax = 256 << 20

    package let createdAt: ParseDate
    /// The version of Tidegate that made the backup.
    package let version: String
    /// In the order of the members.
    package let entries: [Entry]

    /// The number of bytes of all files.
    package var byteCount: Int { entries.reduce(0) { $0 + $1.content.size } }

    /// `{"format":1,"version":"0.2.0","createdAt":"…","files":[{"path":"…","size":4096,"sha256":"…"}]}`
    var json: JSONObject {
        [
            "format": .int(Self.formatVersion), "version": .string(version), "createdAt": .string(createdAt.iso),
            "files": .array(
                entries.map {
                    ["path": .string($0.path), "size": .int($0.content.size), "sha256": .string($0.content.sha256)]
                }),
        ]
    }
}

extension BackupManifest {
    /// What the content of a manifest is.
    enum ManifestReading: Sendable, Hashable {
        case complete(BackupManifest)
        /// The manifest of a newer form of a backup.
        case newer(format: Int)
        case damaged
        /// JSON of another program.
        case foreign
    }

    /// Reads a manifest.
    static func read(_ bytes: [UInt8]) -> ManifestReading {
        guard let json = try? JSONReader.read(bytes) else { return .damaged }
        guard let object = json.object, members.contains(where: { object[$0] != nil }) else { return .foreign }
        guard let format = object["format"]?.int else { return .damaged }
        guard format <= formatVersion else { return .newer(format: format) }
        let files = object["files"]?.array ?? []
        let entries = files.compactMap { file -> Entry? in
            guard let file = file.object, let path = file["path"]?.string, let size = file["size"]?.int, size >= 0,
                let sha256 = file["sha256"]?.string, isSafe(path)
            else { return nil }
            return Entry(path: path, content: FileDraft.Content(sha256: sha256, size: size))
        }
        guard let createdAt = object["createdAt"]?.string.flatMap({ ParseDate(iso: $0) }),
            let version = object["version"]?.string, entries.count == files.count,
            entries.contains(where: { $0.path == "tidegate.sqlite" })
        else { return .damaged }
        return .complete(BackupManifest(createdAt: createdAt, version: version, entries: entries))
    }

    private static let members = ["format", "version", "createdAt", "files"]

    /// Whether a path stays below the directory into which the backup is unpacked.
    private static func isSafe(_ path: String) -> Bool {
        path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !["", ".", ".."].contains($0) }
    }
}
