import GatewayAPI
import Logging
import ParseModel
import RemoteService
import StoreService
import Synchronization

/// Downloads files from the remote: at once if a local client reads the file, and in the background, a few at a time, if the
/// download option of the file's field is `eager`.
actor FileFetcher: RemoteFiles {
    private let store: any GatewayStore
    private let service: any RemoteFileService
    private let logger: Logger
    /// The maximum size of a download, in bytes.
    private let bytesMax: Int
    /// The maximum size of the cache, in bytes. The cache consists of the stored contents that are also on the remote.
    private let cacheBytes: Int
    /// The file contents that the gateway keeps once for all its users; nil in the gateway's own space.
    private let shared: SharedFiles?
    private let isPaused: @Sendable () async -> Bool
    /// The downloads in progress, by file name.
    private var downloads: [String: Task<StoredFile, any Error>] = [:]

    /// The maximum number of concurrent background downloads.
    private static let backgroundDownloadsMax = 3

    /// - Parameters:
    ///   - bytesMax: the maximum size of a download in bytes. The default equals the default size of the cache, because
    ///     a larger file would evict all others.
    ///   - isPaused: whether syncing is paused. No download starts during a pause.
    init(
        store: any GatewayStore, service: any RemoteFileService, bytesMax: Int = 1 << 30,
        cacheBytes: Int, logger: Logger, shared: SharedFiles? = nil, isPaused: @escaping @Sendable () async -> Bool
    ) {
        self.store = store
        self.service = service
        self.bytesMax = bytesMax
        self.cacheBytes = cacheBytes
        self.logger = logger
        self.shared = shared
        self.isPaused = isPaused
    }

    func fetch(_ file: StoredFile) async throws -> StoredFile {
        if let fetching = downloads[file.name] { return try await fetching.value }
        let fetching = Task { try await download(file) }
        downloads[file.name] = fetching
        defer { downloads[file.name] = nil }
        return try await fetching.value
    }

    func noteUse(of file: StoredFile) async throws {
        try await store.objects.files.noteUse(of: file)
        try await shared?.noteUse(of: file.name)
    }

    /// Downloads the files with the download option `eager`, until none is due. Ends earlier if syncing is paused or the store
    /// fails. A failed download is due again later, unless the remote no longer has the file or the file is too long. Called
    /// after each sync that has finished without an error.
    func fetchWanted() async {
        do {
            while await !isPaused(), !Task.isCancelled {
                let wanted = try store.fileCache.filesToDownload(limit: 100)
                guard !wanted.isEmpty else { return }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, download) in wanted.enumerated() {
                        if index >= Self.backgroundDownloadsMax { try await group.next() }
                        group.addTask { try await self.downloadMarked(download.name) }
                    }
                    try await group.waitForAll()
                }
            }
        } catch {
            logger.info("file downloads postponed: \(error)")
        }
    }

    /// Downloads one file. Logs an error of the download.
    /// - Throws: an error of the store. Such an error also ends the other downloads.
    private func downloadMarked(_ name: String) async throws {
        guard let file = try store.objects.files.file(name, as: .master) else { return }
        do {
            _ = try await fetch(file)
        } catch let error as ParseError {
            logger.notice("file download failed: \(error.message)", metadata: ["name": "\(name)"])
        } catch let error as APIError {
            // Other files may be on another server, so their downloads continue.
            logger.notice("file download failed: \(error)", metadata: ["name": "\(name)"])
        }
    }

    private func download(_ file: StoredFile) async throws -> StoredFile {
        guard let url = file.remoteURL else { throw ParseError.objectNotFound }
        guard await !isPaused() else { throw APIError.remoteUnreachable(reason: "Syncing is paused.") }
        if let shared, let found = try await shared.fetch(file.name, at: url), let content = found.content {
            try await store.sharedFiles.noteContent(content, of: file.name, contentType: found.contentType)
            return StoredFile(
                name: file.name, remoteURL: url, content: content, contentType: found.contentType ?? file.contentType)
        }
        let sink = try DraftSink(store.objects.files.draft(), bytesMax: bytesMax)
        do {
            let type = try await service.download(url, into: sink)
            // Makes room for the new content by evicting the least recently used contents.
            try await store.fileCache.evictContents(bytesMax: max(0, cacheBytes - sink.draft.size))
            return try await store.fileCache.keepContent(sink.draft, of: file.name, contentType: type)
        } catch let error as RemoteError {
            if case .refused(ParseError.Code.operationForbidden.rawValue, let reason) = error {
                try await store.fileCache.downloadFailed(file.name, reason: reason, isGone: false)
                throw APIError.fileForbidden(reason: reason)
            }
            let isGone = if case .refused = error { true } else { false }
            let reason = sink.failure.map { "\($0)" } ?? "\(error)"
            try await store.fileCache.downloadFailed(file.name, reason: reason, isGone: isGone || sink.isTooLong)
            if let failure = sink.failure { throw failure }
            switch error {
            case .refused(let code, let message): throw ParseError(.init(rawValue: code), message)
            case .faulty(_, let reason), .failed(_, let reason), .misaddressed(_, let reason), .tooMuch(let reason),
                .unauthorized(let reason), .classUnauthorized(let reason):
                throw APIError.remoteSilent(reason: "The file could not be fetched: \(reason)")
            case .unreachable(let reason), .interrupted(let reason), .overloaded(_, let reason):
                throw APIError.remoteUnreachable(
                    reason: "The file is not here, and the remote cannot be reached: \(reason)")
            }
        }
    }
}

/// Writes a download of at most `bytesMax` bytes into `draft`. Keeps the error of a failed write in `failure`.
private final class DraftSink: ContentSink {
    let draft: FileDraft
    private let bytesMax: Int
    private let error = Mutex<(any Error)?>(nil)

    init(_ draft: FileDraft, bytesMax: Int) {
        self.draft = draft
        self.bytesMax = bytesMax
    }

    var isTooLong: Bool { draft.size > bytesMax }

    var failure: (any Error)? { error.withLock { $0 } }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        do {
            try draft.write(bytes)
            if isTooLong {
                throw APIError.remoteSilent(reason: "The file is longer than the limit of \(bytesMax) bytes.")
            }
        } catch {
            self.error.withLock { $0 = error }
            throw error
        }
    }
}
