import Foundation
import ParseModel
import StoreService

/// Writes the backup of a data directory: one tar archive with a manifest. A gateway may be using the directory.
package struct BackupWriter: Sendable {
    package struct Written: Sendable {
        package let manifest: BackupManifest
        /// The size of the backup in bytes.
        package let byteCount: Int
        /// The number of stores: the gateway's own, and one for each user of a personal replica.
        package let storeCount: Int
        /// The contents of files that are missing in the data directory, and thus in the backup, as SHA-256.
        package let missingContents: [String]
    }

    private let directory: String
    private let stores: any StoreKind
    private let environment: Environment

    package init(directory: String, stores: any StoreKind, environment: Environment = .live) {
        (self.directory, self.stores, self.environment) = (directory, stores, environment)
    }

    /// Writes a backup, reads it again, and compares all sums. The file appears when it is complete and on disk. Only
    /// its owner can read it, because it contains the objects and the gateway's master key.
    /// - Parameters:
    ///   - path: the path of a new file.
    ///   - progress: receives how far the work is; nil if no one waits for it.
    /// - Throws: `GatewayError` if the file exists, the directory cannot be read, or the backup fails its check.
    package func write(
        to path: String, progress: WorkMeter.Report? = nil
    ) async throws(GatewayError) -> Written {
        try BackupFiles.requireStore(in: directory)
        let parent = (path as NSString).deletingLastPathComponent
        guard FileManager.default.fileExists(atPath: parent) else {
            throw GatewayError("there is no directory \(parent)")
        }
        guard !FileManager.default.fileExists(atPath: path) else { throw GatewayError("\(path) exists already") }
        let work = Self.workDirectory(of: path)
        try BackupFiles.makeDirectory(work)
        defer { try? FileManager.default.removeItem(atPath: work) }
        let meter = progress.map { WorkMeter($0) }
        let result = try await onThread { () throws(GatewayError) in try write(in: work, meter) }
        // A link fails if the file exists. Some file systems have no links.
        if link(work + "/archive", path) != 0 {
            guard [EPERM, ENOTSUP].contains(errno), rename(work + "/archive", path) == 0 else {
                throw BackupFiles.failure("write", path)
            }
        }
        try BackupFiles.synchronize((path as NSString).deletingLastPathComponent)
        return result
    }

    /// The end of the names of directories in which a backup is written.
    static let workMark = ".partial-"

    private static func workDirectory(of path: String) -> String {
        path + workMark + ProcessInfo.processInfo.globallyUniqueString
    }

    private func write(in work: String, _ meter: WorkMeter?) throws(GatewayError) -> Written {
        if let meter {
            let (stores, contents) = BackupFiles.sizes(in: directory)
            // The sums, the archive and its comparison follow the copy.
            meter.plan(bytes: StoreWork.copy * stores + 3 * (stores + contents))
        }
        let (stage, archive, list) = (work + "/stage", work + "/archive", work + "/list")
        try BackupFiles.makeDirectory(stage)
        let (storeCount, missing) = try copyStores(to: stage, meter)
        let manifest = try manifest(of: stage, meter)
        let names = [BackupManifest.name] + manifest.entries.map(\.path)
        try write(Array(manifest.json.jsonText.utf8), to: "\(stage)/\(BackupManifest.name)")
        try write(Array((names.joined(separator: "\n") + "\n").utf8), to: list)
        // tar keeps the mode of the file that it overwrites.
        try write([], to: archive)
        meter?.begin("Writing the archive", bytes: manifest.byteCount)
        try TarProgram().create(archive, from: stage, listedIn: list) {
            meter?.advance(to: BackupFiles.size(of: archive))
        }
        try BackupFiles.synchronize(archive)
        try BackupArchive(archive).verify(manifest, meter)
        var status = stat()
        guard stat(archive, &status) == 0 else { throw BackupFiles.failure("read", archive) }
        return Written(
            manifest: manifest, byteCount: Int(status.st_size), storeCount: storeCount, missingContents: missing)
    }

    private func copyStores(
        to stage: String, _ meter: WorkMeter?
    ) throws(GatewayError) -> (count: Int, missing: [String]) {
        let now = environment.now()
        var missing: [String] = []
        let spaces = try BackupFiles.stores(in: directory)
        do {
            for space in spaces {
                let target = space.isEmpty ? stage : "\(stage)/\(space)"
                try FileManager.default.createDirectory(
                    atPath: target, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                missing += try stores.copy(
                    directory: space.isEmpty ? directory : "\(directory)/\(space)", to: target,
                    sharing: space.isEmpty ? nil : directory, at: now, meter
                ).missingContents
            }
            for name in BackupFiles.names where FileManager.default.fileExists(atPath: "\(directory)/\(name)") {
                try FileManager.default.copyItem(atPath: "\(directory)/\(name)", toPath: "\(stage)/\(name)")
            }
        } catch {
            throw GatewayError(error)
        }
        return (spaces.count, missing)
    }

    private func manifest(of stage: String, _ meter: WorkMeter?) throws(GatewayError) -> BackupManifest {
        let paths = try BackupFiles.all(below: stage)
        meter?.begin(
            "Computing the sums", bytes: paths.reduce(0) { $0 + BackupFiles.size(of: "\(stage)/\($1)") })
        var entries: [BackupManifest.Entry] = []
        for path in paths {
            do {
                let content = try FileDraft.Content(ofFile: "\(stage)/\(path)") { meter?.advance(by: $0) }
                entries.append(BackupManifest.Entry(path: path, content: content))
            } catch {
                throw GatewayError(error)
            }
        }
        return BackupManifest(createdAt: environment.now(), version: Version.text, entries: entries)
    }

    private func write(_ bytes: [UInt8], to path: String) throws(GatewayError) {
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw BackupFiles.failure("write", path) }
    }
}

/// Runs blocking work on a thread of its own.
func onThread<Value: Sendable>(
    _ work: @escaping @Sendable () throws(GatewayError) -> Value
) async throws(GatewayError) -> Value {
    let result = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            let result: Result<Value, GatewayError>
            do throws(GatewayError) { result = .success(try work()) } catch { result = .failure(error) }
            continuation.resume(returning: result)
        }
    }
    return try result.get()
}
