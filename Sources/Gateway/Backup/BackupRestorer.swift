import Foundation
import StoreService

/// Makes a data directory from a backup. The directory appears when it is complete and on disk.
package struct BackupRestorer: Sendable {
    private let stores: any StoreKind

    package init(stores: any StoreKind) { self.stores = stores }

    /// - Parameters:
    ///   - directory: a data directory that is missing or empty. Its parent directory must exist.
    ///   - moves: whether the gateway has not run since the backup, so that the restored one continues in its place.
    ///   - progress: receives how far the work is; nil if no one waits for it.
    /// - Returns: the list of the restored files.
    /// - Throws: `GatewayError` if the backup is damaged or of a newer version, or the directory has files. Nothing is
    ///   restored then.
    package func restore(
        _ file: String, to directory: String, moves: Bool = false, progress: WorkMeter.Report? = nil
    ) async throws(GatewayError) -> BackupManifest {
        let meter = progress.map { WorkMeter($0) }
        return try await onThread { () throws(GatewayError) in
            try restoreNow(file, to: directory, moves: moves, meter)
        }
    }

    private func restoreNow(
        _ file: String, to directory: String, moves: Bool, _ meter: WorkMeter?
    ) throws(GatewayError) -> BackupManifest {
        try requireEmpty(directory)
        let manifest = try BackupArchive(file).manifest()
        let work = directory + BackupWriter.workMark + ProcessInfo.processInfo.globallyUniqueString
        try BackupFiles.makeDirectory(work)
        // After the renaming, there is nothing to remove.
        defer { try? FileManager.default.removeItem(atPath: work) }
        // The files are unpacked, compared, and written to disk.
        meter?.plan(bytes: 3 * manifest.byteCount)
        try unpack(file, to: work, manifest, meter)
        try check(work, manifest, of: file, meter)
        guard unlink("\(work)/\(BackupManifest.name)") == 0 else { throw BackupFiles.failure("remove", work) }
        if moves {
            do {
                for space in try BackupFiles.stores(in: work) {
                    try stores.keepIdentity(directory: space.isEmpty ? work : "\(work)/\(space)")
                }
            } catch { throw GatewayError(error) }
        }
        try settle(work, manifest, meter)
        guard rename(work, directory) == 0 else { throw BackupFiles.failure("make the directory", directory) }
        try BackupFiles.synchronize((directory as NSString).deletingLastPathComponent)
        return manifest
    }

    private func requireEmpty(_ directory: String) throws(GatewayError) {
        guard FileManager.default.fileExists(atPath: directory) else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
            throw GatewayError("\(directory) is not a directory that can be read")
        }
        guard names.isEmpty else {
            throw GatewayError(
                "\(directory) is not empty: stop its gateway and move the directory away, or name a new directory with --data"
            )
        }
    }

    private func unpack(
        _ file: String, to work: String, _ manifest: BackupManifest, _ meter: WorkMeter?
    ) throws(GatewayError) {
        guard let meter else { return try TarProgram().extract(file, to: work) }
        meter.begin("Unpacking the backup", bytes: manifest.byteCount)
        // The files are unpacked in the order of the manifest.
        var (rest, finished) = (manifest.entries[...], 0)
        try TarProgram().extract(file, to: work) {
            var begun = 0
            while let entry = rest.first {
                begun = BackupFiles.size(of: "\(work)/\(entry.path)")
                guard begun >= entry.content.size else { break }
                finished += entry.content.size
                (rest, begun) = (rest.dropFirst(), 0)
            }
            meter.advance(to: finished + begun)
        }
    }

    /// Compares the unpacked files with the manifest.
    private func check(
        _ work: String, _ manifest: BackupManifest, of file: String, _ meter: WorkMeter?
    ) throws(GatewayError) {
        meter?.begin("Comparing the files with their sums", bytes: manifest.byteCount)
        let expected = Set(manifest.entries.map(\.path) + [BackupManifest.name])
        guard try Set(BackupFiles.all(below: work)) == expected else {
            throw GatewayError("\(file) is damaged: its files are not those of its \(BackupManifest.name)")
        }
        do {
            for entry in manifest.entries
            where try FileDraft.Content(ofFile: "\(work)/\(entry.path)", { meter?.advance(by: $0) }) != entry.content {
                throw GatewayError("\(file) is damaged: \(entry.path) differs from its sum")
            }
            // Refuses the file of a newer version before anything is restored.
            for space in try BackupFiles.stores(in: work) {
                _ = try stores.remoteOutline(in: space.isEmpty ? work : "\(work)/\(space)")
            }
        } catch {
            throw GatewayError(error)
        }
    }

    /// Restricts all files to their owner, and writes them to disk.
    private func settle(
        _ work: String, _ manifest: BackupManifest, _ meter: WorkMeter?
    ) throws(GatewayError) {
        meter?.begin("Writing the files to disk", bytes: manifest.byteCount)
        var directories: Set<String> = [""]
        for entry in manifest.entries {
            let path = "\(work)/\(entry.path)"
            guard chmod(path, 0o600) == 0 else { throw BackupFiles.failure("change the mode of", path) }
            try BackupFiles.synchronize(path)
            meter?.advance(by: entry.content.size)
            var parent = (entry.path as NSString).deletingLastPathComponent
            while directories.insert(parent).inserted { parent = (parent as NSString).deletingLastPathComponent }
        }
        for directory in directories {
            let path = directory.isEmpty ? work : "\(work)/\(directory)"
            guard chmod(path, 0o700) == 0 else { throw BackupFiles.failure("change the mode of", path) }
            try BackupFiles.synchronize(path)
        }
    }
}
