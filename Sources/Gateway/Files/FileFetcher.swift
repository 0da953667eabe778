import GatewayAPI
import Logging
import ParseModel
import RemoteService
import StoreService
import Synchronization

/// Brings contents from the remote: those that somebody wants to read at once, and in the background, a few at a time,
/// those that shall be here.
actor FileFetcher: RemoteFiles {
    private let store: any FileStore & FileCache
    private let remote: any RemoteService
    private let logger: Logger
    /// The largest file that is fetched.
    private let bytesMax: Int
    /// How much room contents may take that the remote has too.
    private let cacheBytes: Int
    private let isPaused: @Sendable () async -> Bool
    /// The fetchings under way, by name.
    private var fetchings: [String: Task<StoredFile, any Error>] = [:]

    /// How many are fetched unasked at a time.
    private static let atATime = 3

    /// - Parameter isPaused: whether the remote shall be left alone.
    init(
        store: any FileStore & FileCache, remote: any RemoteService, bytesMax: Int, cacheBytes: Int, logger: Logger,
        isPaused: @escaping @Sendable () async -> Bool
    ) {
        self.store = store
        self.remote = remote
        self.bytesMax = bytesMax
        self.cacheBytes = cacheBytes
        self.logger = logger
        self.isPaused = isPaused
    }

    func fetch(_ file: StoredFile) async throws -> StoredFile {
        if let fetching = fetchings[file.name] { return try await fetching.value }
        let fetching = Task { try await bring(file) }
        fetchings[file.name] = fetching
        defer { fetchings[file.name] = nil }
        return try await fetching.value
    }

    /// Fetches what is wanted until nothing is, or the remote cannot be reached. To be called when it has just been.
    func fetchWanted() async {
        do {
            while !Task.isCancelled {
                let wanted = try store.filesToDownload(limit: 100)
                guard !wanted.isEmpty else { return }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, download) in wanted.enumerated() {
                        if index >= Self.atATime { try await group.next() }
                        group.addTask { try await self.fetchUnasked(download.name) }
                    }
                    try await group.waitForAll()
                }
            }
        } catch {
            logger.info("files wait to be fetched: \(error)")
        }
    }

    /// - Throws: where there is no use in asking for others now.
    private func fetchUnasked(_ name: String) async throws {
        guard let file = try store.file(name, as: .master) else { return }
        do {
            _ = try await fetch(file)
        } catch let error as ParseError {
            logger.notice("a file cannot be fetched: \(error.message)", metadata: ["name": "\(name)"])
        } catch let error as APIError {
            // It may lie elsewhere than the others do.
            logger.notice("a file cannot be fetched: \(error)", metadata: ["name": "\(name)"])
        }
    }

    private func bring(_ file: StoredFile) async throws -> StoredFile {
        guard let url = file.remoteURL else { throw ParseError.objectNotFound }
        guard await !isPaused() else { throw APIError.remoteUnreachable(reason: "Syncing is paused.") }
        let sink = try DraftSink(store.draft(), bytesMax: bytesMax)
        do {
            let type = try await remote.download(url, into: sink)
            // What comes is what somebody wants: room is made for it among the others.
            try await store.evictContents(bytesMax: max(0, cacheBytes - sink.draft.size))
            return try await store.keepContent(sink.draft, of: file.name, contentType: type)
        } catch let error as RemoteError {
            if case .refused(ParseError.Code.operationForbidden.rawValue, let reason) = error {
                try await store.downloadFailed(file.name, reason: reason, isGone: false)
                throw APIError.fileForbidden(reason: reason)
            }
            let isGone = if case .refused = error { true } else { false }
            let reason = sink.failure.map { "\($0)" } ?? "\(error)"
            try await store.downloadFailed(file.name, reason: reason, isGone: isGone || sink.isTooLong)
            if let failure = sink.failure { throw failure }
            switch error {
            case .refused(let code, let message): throw ParseError(.init(rawValue: code), message)
            case .faulty(_, let reason), .misaddressed(_, let reason), .tooMuch(let reason), .unauthorized(let reason):
                throw APIError.remoteSilent(reason: "The file could not be fetched: \(reason)")
            case .unreachable(let reason), .interrupted(let reason), .overloaded(_, let reason):
                throw APIError.remoteUnreachable(
                    reason: "The file is not here, and the remote cannot be reached: \(reason)")
            }
        }
    }
}

/// A draft that remembers why it takes no more.
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
                throw APIError.remoteSilent(reason: "The file is longer than the \(bytesMax) bytes that are fetched.")
            }
        } catch {
            self.error.withLock { $0 = error }
            throw error
        }
    }
}
