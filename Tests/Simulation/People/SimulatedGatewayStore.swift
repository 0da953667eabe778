import LocalStore
import ParseModel
import StoreService
import SyncModel

/// The store of a simulated gateway. It leaves out the check of the file, which would read on a separate thread. A
/// deliberate bug can change the rights and users that the store reports to the API.
final class SimulatedGatewayStore: GatewayStore {
    private let base: LocalStore
    private let sabotage: Sabotage?
    let objects: any ObjectStore
    let maintenance: any StoreMaintenance
    let people: any PeopleStore

    init(_ base: LocalStore, _ sabotage: Sabotage?) {
        (self.base, self.sabotage) = (base, sabotage)
        objects = sabotage.map { SabotagedObjects(base: base.objects, sabotage: $0) } ?? base.objects
        maintenance = UncheckedMaintenance(base: base.maintenance)
        people = sabotage.map { SabotagedPeople(base, $0) } ?? base.people
    }

    func sync(as author: AuthorKey) -> any SyncStore {
        let store = base.sync(as: author)
        return sabotage?.store(store) ?? store
    }

    var replicaId: String { base.replicaId }
    var onceWrites: any OnceWriteStore { base.onceWrites }
    var decisions: any DecisionStore { base.decisions }
    var classes: any ClassRegistry { base.classes }
    var fileCache: any FileCache { base.fileCache }
    var accounts: any AccountStore { base.accounts }
    var sharedFiles: any SharedFileStore { base.sharedFiles }
    var classFollower: any ClassFollower { base.classFollower }
    func figures(as principal: Principal) async throws -> SyncFigures { try await base.figures(as: principal) }
    func waitingWork() async throws -> WaitingWork { try await base.waitingWork() }
}

/// The store's objects, with a deliberate bug in reads of objects and of the change feed.
private struct SabotagedObjects: ObjectStore {
    let base: any ObjectStore
    let sabotage: Sabotage

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

    var schemas: any SchemaStore { base.schemas }
    var files: any FileStore { base.files }
    var remoteNames: any RemoteNaming { base.remoteNames }
    var live: any LiveStore { base.live }
    var transfer: any TransferStore { base.transfer }

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
    func indexUses() throws -> [IndexUse] { try base.indexUses() }
    func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark {
        try base.mark(className, object, as: principal)
    }
    func authorize(_ write: WriteRequest, as principal: Principal) throws {
        try base.authorize(write, as: principal)
    }
    func deniedWrites(in className: String, as principal: Principal) throws -> [ClassRights.Operation] {
        try base.deniedWrites(in: className, as: principal)
    }
    func history(of className: String, _ objectId: String, as principal: Principal) throws -> ObjectHistory {
        try base.history(of: className, objectId, as: principal)
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
    func releaseRequestId(_ id: String) async throws { try await base.releaseRequestId(id) }
    func restrictsFeed(for principal: Principal) -> Bool { base.restrictsFeed(for: principal) }
    func present(_ principal: Principal) throws -> Principal? { try base.present(principal) }
    func onCommit(_ observer: @escaping @Sendable () -> Void) { base.onCommit(observer) }
    func config() throws -> String? { try base.config() }
    func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws {
        try await base.changeConfig(change)
    }
}

/// The store's maintenance, without the check of the file.
private struct UncheckedMaintenance: StoreMaintenance {
    let base: any StoreMaintenance

    func isUntouched() async throws -> Bool { try await base.isUntouched() }

    func checkFile(isGentle: Bool) async throws -> FileFindings { FileFindings() }
    func mendDamage() async throws { try await base.mendDamage() }
    func dropUnusedObjects() { base.dropUnusedObjects() }
    func tendIndexes() async throws -> (made: [String], dropped: [String]) { try await base.tendIndexes() }
    func collectFiles(grace: Duration) async throws -> Int { try await base.collectFiles(grace: grace) }
    func removeLooseContents(grace: Duration) async throws { try await base.removeLooseContents(grace: grace) }
    func takeNewRights() async throws -> EffectiveRights? { try await base.takeNewRights() }
    func interruptReads() { base.interruptReads() }
}
