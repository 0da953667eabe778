import ParseModel
import StoreService
import SyncModel

/// Reads, writes and decisions with the master key, which most tests use.
extension ObjectStore {
    package func object(_ className: String, _ objectId: String) throws -> StoredObject? {
        try object(className, objectId, as: .master)
    }

    package func find(_ className: String, _ query: ParseQuery) throws -> FoundObjects {
        try find(className, query, as: .master)
    }

    package func find(
        _ className: String, _ query: ParseQuery, timeout: ReadTimeout, each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try find(className, query, as: .master, timeout: timeout, each: each)
    }

    package func explain(
        _ className: String, _ query: ParseQuery, timeout: ReadTimeout = .unlimited
    ) throws -> [ExplainedStatement] {
        try explain(className, query, as: .master, timeout: timeout)
    }

    package func aggregate(
        _ className: String, _ query: AggregateQuery, now: ParseDate, timeout: ReadTimeout,
        uptime: @escaping () -> Duration = { .zero }, each: @escaping (JSONValue) throws -> Void
    ) throws {
        try aggregate(className, query, as: .master, now: now, timeout: timeout, uptime: uptime, each: each)
    }

    package func perform(_ requests: [WriteRequest], atomically: Bool) async -> [Result<WriteReceipt, any Error>] {
        await perform(requests, as: .master, atomically: atomically)
    }

    package func changes(since: Int64?, classes: Set<String>?, limit: Int) throws -> ChangePage {
        try changes(since: since, classes: classes, limit: limit, as: .master)
    }

    package func mark(_ className: String, _ object: StoredObject) throws -> ObjectMark {
        try mark(className, object, as: .master)
    }

    // MARK: Files

    package func addFile(_ draft: FileDraft, name: String, contentType: String) async throws -> StoredFile {
        try await addFile(draft, name: name, contentType: contentType, as: .master)
    }

    package func file(_ name: String) throws -> StoredFile? { try file(name, as: .master) }

    package func servedFiles(among names: [String]) throws -> Set<String> { try servedFiles(among: names, as: .master) }

    package func deleteFile(_ name: String) async throws { try await deleteFile(name, as: .master) }
}

extension DecisionStore {
    package func pendingChanges() throws -> [PendingChange] { try pendingChanges(as: .master) }
    package func changesInQuestion() throws -> [PendingChange] { try changesInQuestion(as: .master) }
    package func rejections() throws -> [PendingChange] { try rejections(as: .master) }
    package func conflicts(resolved: Bool) throws -> [ListedConflict] { try conflicts(resolved: resolved, as: .master) }
    package func removals() throws -> [HeldRemoval] { try removals(as: .master) }
    package func undoPending(_ id: Int64) async throws { try await undoPending(id, as: .master) }

    package func retryRejection(_ id: Int64, fields: JSONObject?) async throws {
        try await retryRejection(id, fields: fields, as: .master)
    }

    package func giveUpRejection(_ id: Int64) async throws { try await giveUpRejection(id, as: .master) }

    package func resolveConflict(_ id: Int64, keep: String?, fields: JSONObject?) async throws {
        try await resolveConflict(id, keep: keep, fields: fields, as: .master)
    }

    package func confirmRemoval(_ id: Int64) async throws { try await confirmRemoval(id, as: .master) }
    package func keepRemoval(_ id: Int64) async throws { try await keepRemoval(id, as: .master) }
}

extension ClassRegistry {
    package func registerClass(_ name: String) async throws {
        try await registerClass(name, files: FileDownloads(), opField: nil)
    }

    package func registerClass(_ name: String, files: FileDownloads) async throws {
        try await registerClass(name, files: files, opField: nil)
    }

    package func registerClass(_ name: String, opField: String) async throws {
        try await registerClass(name, files: FileDownloads(), opField: opField)
    }

    package func unregisterClass(_ name: String, purge: Bool) async throws {
        try await unregisterClass(name, purge: purge, force: false)
    }
}

extension GatewayStore {
    /// The store as the gateway's own syncs use it.
    package var sync: any SyncStore { sync(as: .gateway) }
}

extension StoreMaintenance {
    package func checkFile() async throws -> FileFindings { try await checkFile(isGentle: false) }
}
