import Foundation
import GatewayAPI
import Logging

/// Makes thumbnails with the program `tidegate-thumbnail`, a few at a time, and keeps them in a directory. All spaces share it: a
/// thumbnail is found by the hash of its picture, and only after the rights to the picture were checked.
actor ThumbnailCache: Thumbnails {
    private let program: String
    private let directory: String
    private let logger: Logger
    /// The size of all kept thumbnails above which the least recently used ones are removed, in bytes.
    private let bytesMax: Int
    private var making: [String: Task<Thumbnail?, Never>] = [:]
    /// Pictures that cannot be scaled, so that each is tried once.
    private var failed: Set<String> = []
    private var running = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private static let runningMax = 2
    private static let failedMax = 10_000
    /// The endings of the files, with the first byte of their content and its type.
    private static let kinds: [(ending: String, firstByte: UInt8, type: String)] = [
        (".jpg", 0xFF, "image/jpeg"), (".png", 0x89, "image/png"),
    ]

    init(program: String, directory: String, bytesMax: Int = 64 << 20, logger: Logger) {
        self.program = program
        self.directory = directory
        self.bytesMax = bytesMax
        self.logger = logger
    }

    func thumbnail(of path: String, digest: String, _ size: ThumbnailSize) async -> Thumbnail? {
        let key = "\(digest)-\(size.width)x\(size.height)"
        if failed.contains(key) { return nil }
        if let kept = kept(key) { return kept }
        if let task = making[key] { return await task.value }
        let task = Task { await make(key, path, size) }
        making[key] = task
        defer { making[key] = nil }
        return await task.value
    }

    /// The kept thumbnail; nil if there is none. Notes its use in the time of the file.
    private func kept(_ key: String) -> Thumbnail? {
        for kind in Self.kinds {
            let path = "\(directory)/\(key)\(kind.ending)"
            if utimes(path, nil) == 0 { return Thumbnail(path: path, contentType: kind.type) }
        }
        return nil
    }

    private func make(_ key: String, _ path: String, _ size: ThumbnailSize) async -> Thumbnail? {
        await enter()
        defer { leave() }
        let content: Data?
        do { content = try await ThumbnailRun(program: program, path: path, size: size).output() } catch {
            // The next request tries again, because the machine may only lack processes or memory now.
            logger.warning("a thumbnail cannot be made: \(error)")
            return nil
        }
        guard let content, let kind = Self.kinds.first(where: { $0.firstByte == content.first }) else {
            if failed.count >= Self.failedMax { failed = [] }
            failed.insert(key)
            return nil
        }
        let target = "\(directory)/\(key)\(kind.ending)"
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try content.write(to: URL(filePath: target), options: .atomic)
        } catch {
            logger.warning("a thumbnail cannot be kept: \(error)")
            return nil
        }
        removeOld()
        return Thumbnail(path: target, contentType: kind.type)
    }

    private func enter() async {
        if running < Self.runningMax {
            running += 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { running -= 1 } else { waiting.removeFirst().resume() }
    }

    /// Removes the least recently used thumbnails until three quarters of `bytesMax` are used.
    private func removeOld() {
        let keys: Set<URLResourceKey> = [.fileSizeKey, .contentModificationDateKey]
        let files = try? FileManager.default.contentsOfDirectory(
            at: URL(filePath: directory), includingPropertiesForKeys: Array(keys))
        let known = (files ?? []).compactMap { file -> (file: URL, bytes: Int, usedAt: Date)? in
            guard let values = try? file.resourceValues(forKeys: keys), let bytes = values.fileSize,
                let usedAt = values.contentModificationDate
            else { return nil }
            return (file, bytes, usedAt)
        }
        var bytes = known.reduce(0) { $0 + $1.bytes }
        guard bytes > bytesMax else { return }
        for entry in known.sorted(by: { $0.usedAt < $1.usedAt }) where bytes > bytesMax / 4 * 3 {
            try? FileManager.default.removeItem(at: entry.file)
            bytes -= entry.bytes
        }
    }
}

/// One run of `tidegate-thumbnail`.
private struct ThumbnailRun: Sendable {
    let program: String
    let path: String
    let size: ThumbnailSize

    /// The thumbnail; nil if the program fails.
    /// - Throws: an error if the program does not start.
    func output() async throws -> Data? {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try outputNow() }) }
        }
    }

    private func outputNow() throws -> Data? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: program)
        process.arguments = [path, String(size.width), String(size.height)]
        process.environment = [:]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The program limits its own processor time and memory, so its output ends.
        let data = try? pipe.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0 ? data : nil
    }
}
