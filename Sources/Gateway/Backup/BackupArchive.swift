import Foundation
import StoreService

/// The archive of a backup.
package struct BackupArchive: Sendable {
    private let path: String

    package init(_ path: String) { self.path = path }

    /// Reads the list of files.
    /// - Throws: `GatewayError` if the file is not a backup, is damaged, or is a backup of a newer version.
    func manifest() throws(GatewayError) -> BackupManifest { try readManifest().get() }

    /// Reads the list of files.
    /// - Returns: an error if the backup is damaged.
    /// - Throws: `GatewayError` if the file cannot be read, is not a backup, or is one of a newer version.
    private func readManifest() throws(GatewayError) -> Result<BackupManifest, GatewayError> {
        try requireBackup()
        let tar = try TarProgram()
        let text: [UInt8]
        do throws(GatewayError) { text = try tar.content(of: BackupManifest.name, in: path) } catch {
            return .failure(GatewayError("\(path) is damaged: \(error)"))
        }
        switch BackupManifest.read(text) {
        case .complete(let manifest): return .success(manifest)
        case .damaged: return .failure(GatewayError("\(path) is damaged: its \(BackupManifest.name) cannot be read"))
        case .foreign: throw notABackup
        case .newer(let format):
            throw GatewayError(
                "\(path) has the format \(format), and this program knows formats up to \(BackupManifest.formatVersion): "
                    + "use a newer tidegate")
        }
    }

    /// Compares the names and the contents of all members with the manifest.
    /// - Parameter progress: receives how far the work is; nil if no one waits for it.
    /// - Returns: the manifest; an error if the backup is damaged.
    /// - Throws: `GatewayError` if the file cannot be read, is not a backup, or is one of a newer version.
    package func check(
        progress: WorkMeter.Report? = nil
    ) async throws(GatewayError) -> Result<BackupManifest, GatewayError> {
        try await onThread { () throws(GatewayError) in
            let manifest: BackupManifest
            switch try readManifest() {
            case .success(let read): manifest = read
            case .failure(let damage): return .failure(damage)
            }
            let meter = progress.map { WorkMeter($0) }
            meter?.plan(bytes: manifest.byteCount)
            do throws(GatewayError) {
                try verify(manifest, meter)
                return .success(manifest)
            } catch {
                return .failure(error)
            }
        }
    }

    /// Reads the head of the first member, whose name is that of the manifest.
    private func requireBackup() throws(GatewayError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BackupFiles.failure("read", path) }
        defer { close(file) }
        let name = Array(BackupManifest.name.utf8) + [0]
        var head = [UInt8](repeating: 0, count: name.count)
        let count = read(file, &head, head.count)
        guard count >= 0 else { throw BackupFiles.failure("read", path) }
        guard head == name else { throw notABackup }
    }

    private var notABackup: GatewayError { GatewayError("\(path) is not a backup of Tidegate") }

    /// Compares the names of all members, and the sums of their contents, with a manifest.
    /// - Throws: `GatewayError` if one differs.
    func verify(_ manifest: BackupManifest, _ meter: WorkMeter? = nil) throws(GatewayError) {
        meter?.begin("Comparing the archive with its sums", bytes: manifest.byteCount)
        guard try TarProgram().names(in: path) == [BackupManifest.name] + manifest.entries.map(\.path) else {
            throw GatewayError("\(path) is damaged: its files are not those of its \(BackupManifest.name)")
        }
        let sizeOfManifest = try TarProgram().content(of: BackupManifest.name, in: path).count
        var members = MemberSums(sizes: [sizeOfManifest] + manifest.entries.map(\.content.size))
        try TarProgram().contents(of: path) { data in
            members.add(data)
            meter?.advance(by: data.count)
        }
        guard members.surplus == 0, members.sums.count == manifest.entries.count + 1 else {
            throw GatewayError("\(path) is damaged: its size is not that of its files")
        }
        for (entry, sum) in zip(manifest.entries, members.sums.dropFirst()) where entry.content.sha256 != sum {
            throw GatewayError("\(path) is damaged: \(entry.path) differs from its sum")
        }
    }
}

/// Computes the sums of members that follow each other in one stream.
private struct MemberSums {
    private let sizes: [Int]
    private var digest = ContentDigest()
    private var missing: Int
    /// The finished sums, as SHA-256.
    private(set) var sums: [String] = []
    /// The number of bytes after the last member.
    private(set) var surplus = 0

    init(sizes: [Int]) {
        self.sizes = sizes
        missing = sizes.first ?? 0
        finishMembers()
    }

    mutating func add(_ data: Data) {
        data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                guard sums.count < sizes.count else {
                    surplus += rest.count
                    return
                }
                let piece = rest.prefix(missing)
                digest.add(.init(rebasing: piece))
                missing -= piece.count
                rest = rest.dropFirst(piece.count)
                finishMembers()
            }
        }
    }

    /// Finishes the member that is complete, and the empty ones after it.
    private mutating func finishMembers() {
        while missing == 0, sums.count < sizes.count {
            sums.append(digest.finish())
            digest = ContentDigest()
            missing = sums.count < sizes.count ? sizes[sums.count] : 0
        }
    }
}
