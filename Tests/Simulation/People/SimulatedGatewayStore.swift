import LocalStore
import ParseModel
import StoreService
import SyncModel

/// The store of a gateway without the check of the file, which reads on a thread of its own. A deliberate break can change what the
/// store tells the API about users and their rights.
final class SimulatedGatewayStore: GatewayStore {
    private let base: LocalStore
    private let sabotage: Sabotage?
    let people: any PeopleStore

    init(_ base: LocalStore, _ sabotage: Sabotage?) {
        self.base = base
        self.sabotage = sabotage
        people = sabotage.map { SabotagedPeople(base, $0) } ?? base.people
    }

    func checkFile(isGentle: Bool) async throws -> FileFindings { FileFindings() }

    // MARK: Broken

    func sync(as identity: SyncIdentity) -> any SyncStore {
        let store = base.sync(as: identity)
        return sabotage?.store(store) ?? store
    }

    func object(_ className: String, _ objectId: String, as principal: Principal) throws -> StoredObject? {
        let isPastFilter = sabotage == .includesUnfiltered && className == "Place"
        return try base.object(className, objectId, as: isPastFilter ? .master : principal)
    }

    func changes(
        since: Int64?, classes: Set<String>?, kinds: Set<ChangeEntry.Kind>?, limit: Int, as principal: Principal
    ) throws -> ChangePage {
        let page = try base.changes(since: since, classes: classes, kinds: kinds, limit: limit, as: principal)
        guard sabotage == .lossesUnfed else { return page }
        return ChangePage(entries: page.entries.filter { $0.kind != .delete }, next: page.next)
    }

    // MARK: Unchanged

    var replicaId: String { base.replicaId }
    var accounts: any AccountStore { base.accounts }
    var sharedFiles: any SharedFileStore { base.sharedFiles }
    var fileRights: any FileRights { base.fileRights }
    var classFollower: any ClassFollower { base.classFollower }

    func figures(as principal: Principal) async throws -> SyncFigures { try await base.figures(as: principal) }
    func waitingWork() async throws -> WaitingWork { try await base.waitingWork() }

    func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try base.find(className, query, as: principal, timeout: timeout, each: each)
    }
    func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement] {
        try base.explain(className, query, as: principal, timeout: timeout)
    }
    func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark {
        try base.mark(className, object, as: principal)
    }
    func damagedCount(of className: String) -> Int { base.damagedCount(of: className) }
    func noteDamage(in className: String) throws { try base.noteDamage(in: className) }
    func classNames() throws -> [String] { try base.classNames() }
    func perform(
        _ requests: [WriteRequest], as principal: Principal, atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        await base.perform(requests, as: principal, atomically: atomically)
    }
    func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool {
        try await base.takeRequestId(id, for: lifetime)
    }
    func restrictsFeed(for principal: Principal) -> Bool { base.restrictsFeed(for: principal) }
    func present(_ principal: Principal) throws -> Principal? { try base.present(principal) }
    func onCommit(_ observer: @escaping @Sendable () -> Void) { base.onCommit(observer) }
    func config() throws -> String? { try base.config() }
    func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws {
        try await base.changeConfig(change)
    }

    func schemas() throws -> [ClassSchema] { try base.schemas() }
    func schema(of className: String) throws -> ClassSchema? { try base.schema(of: className) }
    func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema {
        try await base.changeSchema(className, change)
    }
    func dropSchema(_ className: String) async throws { try await base.dropSchema(className) }
    func dropObjects(of className: String) async throws { try await base.dropObjects(of: className) }
    func remoteNames(of things: NamedThings) throws -> RemoteNames { try base.remoteNames(of: things) }

    func draft() throws -> FileDraft { try base.draft() }
    func addFile(
        _ draft: FileDraft, name: String, contentType: String, as principal: Principal
    ) async throws -> StoredFile {
        try await base.addFile(draft, name: name, contentType: contentType, as: principal)
    }
    func file(_ name: String, as principal: Principal) throws -> StoredFile? { try base.file(name, as: principal) }
    func contentPath(of file: StoredFile) -> String? { base.contentPath(of: file) }
    func servedFiles(among names: [String], as principal: Principal) throws -> Set<String> {
        try base.servedFiles(among: names, as: principal)
    }
    func noteUse(of file: StoredFile) async throws { try await base.noteUse(of: file) }
    func deleteFile(_ name: String, as principal: Principal) async throws {
        try await base.deleteFile(name, as: principal)
    }
    func filesToDownload(limit: Int) throws -> [FileDownload] { try base.filesToDownload(limit: limit) }
    func keepContent(_ draft: FileDraft, of name: String, contentType: String?) async throws -> StoredFile {
        try await base.keepContent(draft, of: name, contentType: contentType)
    }
    func downloadFailed(_ name: String, reason: String, isGone: Bool) async throws {
        try await base.downloadFailed(name, reason: reason, isGone: isGone)
    }
    func evictContents(bytesMax: Int) async throws { try await base.evictContents(bytesMax: bytesMax) }

    func pendingChanges(as principal: Principal) throws -> [PendingChange] {
        try base.pendingChanges(as: principal)
    }
    func changesInQuestion(as principal: Principal) throws -> [PendingChange] {
        try base.changesInQuestion(as: principal)
    }
    func rejections(as principal: Principal) throws -> [PendingChange] { try base.rejections(as: principal) }
    func conflicts(resolved: Bool, as principal: Principal) throws -> [ListedConflict] {
        try base.conflicts(resolved: resolved, as: principal)
    }
    func removals(as principal: Principal) throws -> [HeldRemoval] { try base.removals(as: principal) }
    func undoPending(_ id: Int64, as principal: Principal) async throws {
        try await base.undoPending(id, as: principal)
    }
    func retryRejection(_ id: Int64, fields: JSONObject?, as principal: Principal) async throws {
        try await base.retryRejection(id, fields: fields, as: principal)
    }
    func giveUpRejection(_ id: Int64, as principal: Principal) async throws {
        try await base.giveUpRejection(id, as: principal)
    }
    func resolveConflict(_ id: Int64, keep: String?, fields: JSONObject?, as principal: Principal) async throws {
        try await base.resolveConflict(id, keep: keep, fields: fields, as: principal)
    }
    func confirmRemoval(_ id: Int64, as principal: Principal) async throws {
        try await base.confirmRemoval(id, as: principal)
    }
    func keepRemoval(_ id: Int64, as principal: Principal) async throws {
        try await base.keepRemoval(id, as: principal)
    }
    func latestWrite() throws -> Int64 { try base.latestWrite() }
    func callersQueue(
        upTo number: Int64, naming things: NamedThings, by principal: Principal
    ) throws -> CallersQueue {
        try base.callersQueue(upTo: number, naming: things, by: principal)
    }

    func registerClass(_ name: String, files: FileDownloads, opField: String?) async throws {
        try await base.registerClass(name, files: files, opField: opField)
    }
    func configureClass(
        _ name: String, _ change: @escaping @Sendable (inout ClassOptions, inout [NamedPull]) throws -> Void
    ) async throws {
        try await base.configureClass(name, change)
    }
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws {
        try await base.unregisterClass(name, purge: purge, force: force)
    }
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int {
        try await base.purgeObjects(of: name, query, force: force)
    }
    func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws { try await base.takeRemoteSchemas(schemas) }

    func mendDamage() async throws { try await base.mendDamage() }
    func dropUnusedObjects() { base.dropUnusedObjects() }
    func tendIndexes() async throws -> (made: [String], dropped: [String]) { try await base.tendIndexes() }
    func collectFiles(grace: Duration) async throws -> Int { try await base.collectFiles(grace: grace) }
    func removeLooseContents(grace: Duration) async throws { try await base.removeLooseContents(grace: grace) }
    func takeNewRights() async throws -> EffectiveRights? { try await base.takeNewRights() }
    func interruptReads() { base.interruptReads() }
}
