import GRDB
import ParseModel
import StoreService
import SyncModel

/// The outbox and file uploads of the author, and the stored state of the sync.
extension LocalSyncStore {
    // MARK: OutboxStore

    package func waitingAuthors() async throws -> [SyncAuthor] { try await read { try Authors(db: $0).waiting() } }

    package func sending(for author: SyncAuthor) async throws -> any SyncStore {
        LocalSyncStore(
            transactions, as: puller, sending: try await write { try Authors(db: $0.db).key(of: author) })
    }

    package func outbox(limit: Int) async throws -> [OutboxEntry] {
        try await readAtOnce { try AuthorOutbox(db: $0, author: author).next(limit: limit) }
    }

    package func waitingCount() async throws -> Int {
        try await read { try AuthorOutbox(db: $0, author: author).pendingCount() }
    }

    package func unknownOutcomes() async throws -> [OutboxEntry] {
        try await readAtOnce { try AuthorOutbox(db: $0, author: author).unknown() }
    }

    package func classesWithUnknownCreates() async throws -> Set<String> {
        try await read { try OutboxTable(db: $0).classesWithUnknownCreates() }
    }

    package func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry] {
        try await write { transaction in
            try entries.compactMap { try SentSteps(transaction: transaction).freeze($0, at: serverTime) }
        }
    }

    @discardableResult
    package func settle(
        _ settlements: [(entry: OutboxEntry, Settlement)]
    ) async throws -> [String: PullTally] {
        try await write { try SentSteps(transaction: $0).settle(settlements) }
    }

    package func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws {
        try await write { transaction in
            for object in objects { try Unanswered(db: transaction.db, author: author).note(object, at: endedAt) }
        }
    }

    package func split(_ entry: OutboxEntry, deferring fields: [String]) async throws {
        try await write { transaction in
            _ = try transaction.receive(.split(entry, deferring: fields), entry.className, entry.objectId)
        }
    }

    package func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding {
        try await readAtOnce { try ConflictTable(db: $0).standing(of: objectIds, for: entry) }
    }

    package func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject] {
        try await read {
            try BaseObjects(db: $0).sample(of: className, besides: objectId, max: max)
        }
    }

    package func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding {
        try await readAtOnce { try BaseObjects(db: $0).remakes(of: entries, max: max) }
    }

    // MARK: FileUploadStore

    package func filesToUpload(limit: Int) async throws -> [FileUpload] {
        try await read { [contents = transactions.file.contents] in
            try FileUploads(db: $0, author: author).next(limit: limit, in: contents)
        }
    }

    package func fileIsUploaded(_ name: String, as remote: FileReference) async throws {
        try await write { try FileOutcomes(transaction: $0).adopt(remote, for: name) }
    }

    package func fileIsRefused(_ name: String, code: Int, message: String) async throws -> [String] {
        try await write {
            try FileOutcomes(transaction: $0.acting(as: author)).refuse(name, code: code, message: message)
        }
    }

    package func fileUploadFailed(_ name: String, reason: String) async throws {
        try await write { try FileTable(db: $0.db).noteFailedUpload(name, reason) }
    }

    // MARK: RemoteStateStore

    package func remoteAcceptsChosenIds() async throws -> Bool? {
        try await read { try Meta.value(of: "accepts_chosen_ids", in: $0).map { $0 == "1" } }
    }

    package func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws {
        try await write { try Meta.set("accepts_chosen_ids", accepts.map { $0 ? "1" : "0" }, in: $0.db) }
    }

    package func setPaused(_ paused: Bool) async throws {
        try await write { try Meta.set("paused", paused ? "1" : nil, in: $0.db) }
    }

    package func setLastSync(_ date: ParseDate) async throws {
        try await write { try Meta.set(Meta.lastSyncKey, String(date.milliseconds), in: $0.db) }
    }
}
