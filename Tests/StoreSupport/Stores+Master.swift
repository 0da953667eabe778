import ParseModel
import StoreService
import SyncModel

/// Reads and writes with the master key, which most tests use.
extension ObjectStore {
    package func object(_ className: String, _ objectId: String) throws -> StoredObject? {
        try object(className, objectId, as: .master)
    }

    package func find(_ className: String, _ query: ParseQuery) throws -> FoundObjects {
        try find(className, query, as: .master)
    }

    package func perform(_ requests: [WriteRequest], atomically: Bool) async -> [Result<WriteReceipt, any Error>] {
        await perform(requests, as: .master, atomically: atomically)
    }
}

/// Offers the functions of a store's parts directly on the store, with the master key if a test names no principal.
extension GatewayStore {
    /// The store as the gateway's own syncs use it.
    package var sync: any SyncStore { sync(as: .gateway) }

    // MARK: Objects

    package func object(_ className: String, _ id: String, as principal: Principal = .master) throws -> StoredObject? {
        try objects.object(className, id, as: principal)
    }

    package func find(
        _ className: String, _ query: ParseQuery, as principal: Principal = .master
    ) throws -> FoundObjects {
        try objects.find(className, query, as: principal)
    }

    package func find(
        _ className: String, _ query: ParseQuery, as principal: Principal = .master, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try objects.find(className, query, as: principal, timeout: timeout, each: each)
    }

    package func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal = .master, timeout: ReadTimeout = .unlimited
    ) throws -> [ExplainedStatement] {
        try objects.explain(className, query, as: principal, timeout: timeout)
    }

    package func aggregate(
        _ className: String, _ query: AggregateQuery, as principal: Principal = .master, now: ParseDate,
        timeout: ReadTimeout, uptime: @escaping () -> Duration = { .zero }, each: @escaping (JSONValue) throws -> Void
    ) throws {
        try objects.aggregate(
            className, query, as: principal, now: now, timeout: timeout, uptime: uptime, each: each)
    }

    package func perform(
        _ requests: [WriteRequest], as principal: Principal = .master, atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        await objects.perform(requests, as: principal, atomically: atomically)
    }

    package func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool {
        try await objects.takeRequestId(id, for: lifetime)
    }

    package func releaseRequestId(_ id: String) async throws { try await objects.releaseRequestId(id) }

    package func changes(
        since: Int64?, classes: Set<String>?, kinds: Set<ChangeEntry.Kind>? = nil, limit: Int,
        as principal: Principal = .master
    ) throws -> ChangePage {
        try objects.changes(since: since, classes: classes, kinds: kinds, limit: limit, as: principal)
    }

    package func mark(
        _ className: String, _ object: StoredObject, as principal: Principal = .master
    ) throws -> ObjectMark {
        try objects.mark(className, object, as: principal)
    }

    package func present(_ principal: Principal) throws -> Principal? { try objects.present(principal) }
    package func damagedCount(of className: String) -> Int { objects.damagedCount(of: className) }
    package func noteDamage(in className: String) throws { try objects.noteDamage(in: className) }
    package func classNames() throws -> [String] { try objects.classNames() }
    package func config() throws -> String? { try objects.config() }

    package func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws {
        try await objects.changeConfig(change)
    }

    // MARK: Schemas

    package func schemas() throws -> [ClassSchema] { try objects.schemas.all() }
    package func schema(of className: String) throws -> ClassSchema? { try objects.schemas.schema(of: className) }

    package func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema {
        try await objects.schemas.changeSchema(className, change)
    }

    package func dropSchema(_ className: String) async throws { try await objects.schemas.dropSchema(className) }
    package func dropObjects(of className: String) async throws { try await objects.schemas.dropObjects(of: className) }

    // MARK: Files

    package var fileRights: any FileRights { objects.files.rights }
    package func draft() throws -> FileDraft { try objects.files.draft() }

    package func addFile(
        _ draft: FileDraft, name: String, contentType: String, as principal: Principal = .master
    ) async throws -> StoredFile {
        try await objects.files.addFile(draft, name: name, contentType: contentType, as: principal)
    }

    package func file(_ name: String, as principal: Principal = .master) throws -> StoredFile? {
        try objects.files.file(name, as: principal)
    }

    package func contentPath(of file: StoredFile) -> String? { objects.files.contentPath(of: file) }

    package func servedFiles(among names: [String], as principal: Principal = .master) throws -> Set<String> {
        try objects.files.servedFiles(among: names, as: principal)
    }

    package func noteUse(of file: StoredFile) async throws { try await objects.files.noteUse(of: file) }

    package func deleteFile(_ name: String, as principal: Principal = .master) async throws {
        try await objects.files.deleteFile(name, as: principal)
    }

    package func filesToDownload(limit: Int) throws -> [FileDownload] { try fileCache.filesToDownload(limit: limit) }

    package func keepContent(_ draft: FileDraft, of name: String, contentType: String?) async throws -> StoredFile {
        try await fileCache.keepContent(draft, of: name, contentType: contentType)
    }

    package func downloadFailed(_ name: String, reason: String, isGone: Bool) async throws {
        try await fileCache.downloadFailed(name, reason: reason, isGone: isGone)
    }

    package func evictContents(bytesMax: Int) async throws { try await fileCache.evictContents(bytesMax: bytesMax) }

    // MARK: Decisions

    package func pendingChanges(as principal: Principal = .master) throws -> [PendingChange] {
        try decisions.pendingChanges(as: principal)
    }

    package func changesInQuestion(as principal: Principal = .master) throws -> [PendingChange] {
        try decisions.changesInQuestion(as: principal)
    }

    package func rejections(as principal: Principal = .master) throws -> [PendingChange] {
        try decisions.rejections(as: principal)
    }

    package func conflicts(resolved: Bool, as principal: Principal = .master) throws -> [ListedConflict] {
        try decisions.conflicts(resolved: resolved, as: principal)
    }

    package func removals(as principal: Principal = .master) throws -> [HeldRemoval] {
        try decisions.removals(as: principal)
    }

    package func undoPending(_ id: Int64, match: TagMatch? = nil, as principal: Principal = .master) async throws {
        try await decisions.undoPending(id, match: match, as: principal)
    }

    package func retryRejection(_ id: Int64, fields: JSONObject?, as principal: Principal = .master) async throws {
        try await decisions.retryRejection(id, fields: fields, match: nil, as: principal)
    }

    package func giveUpRejection(_ id: Int64, as principal: Principal = .master) async throws {
        try await decisions.giveUpRejection(id, match: nil, as: principal)
    }

    package func resolveConflict(
        _ id: Int64, keep: String?, fields: JSONObject?, match: TagMatch? = nil, as principal: Principal = .master
    ) async throws {
        try await decisions.resolveConflict(id, keep: keep, fields: fields, match: match, as: principal)
    }

    package func confirmRemoval(_ id: Int64, as principal: Principal = .master) async throws {
        try await decisions.confirmRemoval(id, as: principal)
    }

    package func keepRemoval(_ id: Int64, as principal: Principal = .master) async throws {
        try await decisions.keepRemoval(id, as: principal)
    }

    package func latestWrite() throws -> Int64 { try decisions.latestWrite() }

    package func callersQueue(
        upTo number: Int64, naming things: NamedThings, by principal: Principal
    ) throws -> CallersQueue {
        try decisions.callersQueue(upTo: number, naming: things, by: principal)
    }

    // MARK: Classes

    package func registerClass(
        _ name: String, files: FileDownloads = FileDownloads(), opField: String? = nil
    ) async throws {
        try await classes.registerClass(name, files: files, opField: opField)
    }

    package func configureClass(
        _ name: String, _ change: @escaping @Sendable (inout ClassOptions, inout [NamedPull]) throws -> Void
    ) async throws {
        try await classes.configureClass(name, change)
    }

    package func unregisterClass(_ name: String, purge: Bool, force: Bool = false) async throws {
        try await classes.unregisterClass(name, purge: purge, force: force)
    }

    package func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int {
        try await classes.purgeObjects(of: name, query, force: force)
    }

    package func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws {
        try await classes.takeRemoteSchemas(schemas)
    }

    package func remoteSchemas() throws -> Set<ClassSchema> { try classes.remoteSchemas() }

    // MARK: Maintenance

    package func checkFile(isGentle: Bool = false) async throws -> FileFindings {
        try await maintenance.checkFile(isGentle: isGentle)
    }

    package func mendDamage() async throws { try await maintenance.mendDamage() }
    package func tendIndexes() async throws -> (made: [String], dropped: [String]) {
        try await maintenance.tendIndexes()
    }

    @discardableResult
    package func collectFiles(grace: Duration) async throws -> Int { try await maintenance.collectFiles(grace: grace) }

    package func removeLooseContents(grace: Duration) async throws {
        try await maintenance.removeLooseContents(grace: grace)
    }

    package func takeNewRights() async throws -> EffectiveRights? { try await maintenance.takeNewRights() }
    package func dropUnusedObjects() { maintenance.dropUnusedObjects() }
    package func interruptReads() { maintenance.interruptReads() }
}
