import GatewayAPI
import LocalStore
import Logging
import ParseModel
import RemoteService

/// Brings contents from the remote: those that somebody wants to read at once, and in the background, a few at a time,
/// those that shall be here.
actor FileFetcher: RemoteFiles {
    private let store: LocalStore
    private let remote: any RemoteService
    private let logger: Logger
    /// The fetchings under way, by name.
    private var fetchings: [String: Task<StoredFile, any Error>] = [:]

    /// How many are fetched unasked at a time.
    private static let atATime = 3

    init(store: LocalStore, remote: any RemoteService, logger: Logger) {
        self.store = store
        self.remote = remote
        self.logger = logger
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
        guard let file = try store.file(name) else { return }
        do {
            _ = try await fetch(file)
        } catch let error as ParseError {
            logger.notice("a file cannot be fetched: \(error.message)", metadata: ["name": "\(name)"])
        }
    }

    private func bring(_ file: StoredFile) async throws -> StoredFile {
        guard let url = file.remoteURL else { throw ParseError.objectNotFound }
        let draft = try store.draft()
        do {
            let type = try await remote.download(url, into: draft)
            return try await store.keepContent(draft, of: file.name, contentType: type)
        } catch let error as RemoteError {
            switch error {
            case .refused(let code, let message):
                try await store.downloadFailed(file.name, reason: message, isGone: true)
                throw ParseError(.init(rawValue: code), message)
            case .faulty(_, let reason), .tooMuch(let reason), .unauthorized(let reason):
                try await store.downloadFailed(file.name, reason: reason, isGone: false)
                throw ParseError(.fileReadError, "The file could not be fetched: \(reason)")
            case .unreachable(let reason), .interrupted(let reason), .overloaded(_, let reason):
                throw APIError.remoteUnreachable(
                    reason: "The file is not here, and the remote cannot be reached: \(reason)")
            }
        }
    }
}
