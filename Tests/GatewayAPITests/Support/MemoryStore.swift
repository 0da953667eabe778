import ParseModel
import StoreService
import SyncModel
import Synchronization

/// An in-memory store: it keeps objects unchanged, and returns every object of a class for any predicate.
final class MemoryStore: ObjectStore, SchemaStore, FileStore, RemoteNaming {
    var schemas: any SchemaStore { self }
    var files: any FileStore { self }
    var remoteNames: any RemoteNaming { self }
    var live: any LiveStore { NoLiveStore() }
    var transfer: any TransferStore { NoTransferStore() }

    struct State {
        var objects: [String: [(id: String, fields: JSONObject)]] = [:]
        var states: [String: SyncState] = [:]
        /// The number of writes in each transaction, in the order of the transactions.
        var groups: [Int] = []
        var queries: [ParseQuery] = []
        var changes: [ChangeEntry] = []
        /// The feed number of the last change of access rights. Readers with the master key do not see it.
        var rightsChangedAt: Int64 = 0
        var changeRequests: [(since: Int64?, classes: Set<String>?, limit: Int)] = []
        var lastId = 0
        /// The base dates (`_base`) of the writes, in the order of the writes.
        var bases: [ParseDate?] = []
        var config: String?
        var schemas: [String: ClassSchema] = [:]
        /// The simulated duration of each query.
        var slowness = Duration.zero
        var requestIds: Set<String> = []
        /// The error that reads and writes throw; nil for none.
        var failure: (any Error & Sendable)?
    }

    let state = Mutex(State())
    let observers = Observers()
    /// The error that a lookup of file names throws; nil for none.
    let fileFailure = Mutex<StoreError?>(nil)
    private static let time = ParseDate(milliseconds: 1_795_224_551_000)

    /// - Parameter ids: the ids of initial objects without fields.
    init(_ className: String = "Holiday", ids: [String] = []) {
        state.withLock { $0.objects[className] = ids.map { (id: $0, fields: [:]) } }
    }

    func object(_ className: String, _ objectId: String, as principal: Principal) throws -> StoredObject? {
        let rules = AccessRules(principal, ClassRights(className))
        try rules.authorize(.get, objectId)
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try state.objects[className]?.first { $0.id == objectId }.map {
                try Self.stored($0.id, $0.fields, state).shown(by: rules)
            }
        }
    }

    /// The row and the entries of the change feed, without anything of a sync.
    func history(of className: String, _ objectId: String, as principal: Principal) throws -> ObjectHistory {
        let isHere = state.withLock { $0.objects[className]?.contains { $0.id == objectId } == true }
        let row = ObjectHistory.Row(
            createdAt: Self.time, updatedAt: Self.time, isShown: true, standing: nil, wasAcknowledged: false,
            isWithheld: false, readers: nil)
        return ObjectHistory(
            object: Pointer(className: className, objectId: objectId), row: isHere ? row : nil)
    }

    func noteDamage(in className: String) throws {}

    func damagedCount(of className: String) -> Int { 0 }

    func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try QueryRules { AccessRules(principal, ClassRights($0)) }.check(query, of: className)
        let (page, count) = try state.withLock { state in
            state.queries.append(query)
            if let failure = state.failure { throw failure }
            if let time = timeout.duration, time < state.slowness { throw StoreError.tookTooLong }
            let all = state.objects[className] ?? []
            let page = all.dropFirst(query.skip).prefix(query.limit).map { Self.stored($0.id, $0.fields, state) }
            return (page, query.wantsCount ? all.count : nil)
        }
        for object in page { try each(object.shown(by: AccessRules(principal, ClassRights(className)))) }
        return count
    }

    func restrictsFeed(for principal: Principal) -> Bool { false }

    func present(_ principal: Principal) throws -> Principal? { principal }

    func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool {
        state.withLock { $0.requestIds.insert(id).inserted }
    }

    func releaseRequestId(_ id: String) async throws { state.withLock { _ = $0.requestIds.remove(id) } }

    func indexUses() throws -> [IndexUse] {
        [
            IndexUse(className: "Holiday", fields: ["name", "date"], count: 2, latest: ParseDate(milliseconds: 0)),
            IndexUse(className: "Note", fields: ["n"], count: 0, latest: nil),
        ]
    }

    func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement] {
        [ExplainedStatement(sql: "SELECT 1", plan: ["SCAN", "  INNER"])]
    }

    func perform(
        _ requests: [WriteRequest], as principal: Principal, atomically: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        state.withLock { state in
            state.groups.append(requests.count)
            if let failure = state.failure { return requests.map { _ in .failure(failure) } }
            let before = state.objects
            let results = requests.map { Self.carryOut($0, as: principal, &state) }
            if atomically, results.contains(where: { (try? $0.get()) == nil }) { state.objects = before }
            return results
        }
    }

    func changes(
        since: Int64?, classes: Set<String>?, kinds: Set<ChangeEntry.Kind>?, limit: Int, as principal: Principal
    ) throws -> ChangePage {
        try state.withLock { state in
            state.changeRequests.append((since, classes, limit))
            if let failure = state.failure { throw failure }
            guard let since else { return ChangePage(entries: [], next: state.changes.last?.number ?? 0) }
            let entries = state.changes.drop { $0.number <= since }
                .filter { classes?.contains($0.className) != false && kinds?.contains($0.kind) != false }
                .prefix(limit)
                .map { $0.shown(to: principal) }
            let newest = max(state.changes.last?.number ?? since, state.rightsChangedAt)
            return ChangePage(
                entries: entries, next: entries.count < limit ? newest : entries.last?.number ?? since,
                rightsChangedAt: state.rightsChangedAt)
        }
    }

    /// Adds changes of a class to the feed, with the next numbers.
    func change(_ className: String = "Holiday", count: Int = 1) {
        state.withLock { state in
            let first = (state.changes.last?.number ?? 0) + 1
            for number in first..<first + Int64(count) {
                state.changes.append(
                    ChangeEntry(
                        number: number, className: className, objectId: "o\(number)", kind: .update,
                        json: #"{"objectId":"o\#(number)"}"#, contentMark: Self.contentMark))
            }
        }
        observers.notify()
    }

    /// Adds a change of rights to the feed, with the next number.
    func changeRights() {
        state.withLock { $0.rightsChangedAt = max($0.changes.last?.number ?? 0, $0.rightsChangedAt) + 1 }
        observers.notify()
    }

    func onCommit(_ observer: @escaping @Sendable () -> Void) { observers.add(observer) }

    func classNames() throws -> [String] { state.withLock { $0.objects.keys.sorted() } }

    func config() throws -> String? {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.config
        }
    }

    func changeConfig(_ change: @escaping @Sendable (String?) throws -> String) async throws {
        try state.withLock { $0.config = try change($0.config) }
    }

    private static func carryOut(
        _ request: WriteRequest, as principal: Principal, _ state: inout State
    ) -> Result<WriteReceipt, any Error> {
        do { try request.authorize(as: principal) } catch { return .failure(error) }
        switch request {
        case .create(let className, let body, let terms):
            state.lastId += 1
            let id = "new\(state.lastId)"
            state.objects[className, default: []].append((id, body))
            return .success(
                WriteReceipt(objectId: id, createdAt: time, updatedAt: time, echoed: [:], mark: mark(id, terms, state)))
        case .update(let className, let objectId, let body, let terms):
            guard let place = state.objects[className]?.firstIndex(where: { $0.id == objectId }) else {
                return .failure(terms.match == nil ? ParseError.objectNotFound : StoreError.gone)
            }
            if case .tags(let tags)? = terms.match, !tags.contains(contentMark.tag) {
                let fields = state.objects[className]?[place].fields ?? [:]
                return .failure(StoreError.stale(stored(objectId, fields, state)))
            }
            state.bases.append(terms.base)
            for (field, value) in body { state.objects[className]?[place].fields[field] = value }
            let echoed = JSONObject(body.filter { $0.value.object?["__op"] != nil }.map { ($0.key, 8) })
            return .success(
                WriteReceipt(
                    objectId: objectId, createdAt: time, updatedAt: time, echoed: echoed,
                    mark: mark(objectId, terms, state)))
        case .delete(let className, let objectId, let terms):
            guard let place = state.objects[className]?.firstIndex(where: { $0.id == objectId }) else {
                return .failure(terms.match == nil ? ParseError.objectNotFound : StoreError.gone)
            }
            if case .tags(let tags)? = terms.match, !tags.contains(contentMark.tag) {
                let fields = state.objects[className]?[place].fields ?? [:]
                return .failure(StoreError.stale(stored(objectId, fields, state)))
            }
            state.bases.append(terms.base)
            state.objects[className]?.remove(at: place)
            return .success(
                WriteReceipt(
                    objectId: objectId, createdAt: time, updatedAt: time, echoed: [:],
                    mark: mark(objectId, terms, state)))
        }
    }

    /// The content mark from which the tag of every object is made: the tests see the tag `"7-42"`.
    private static let contentMark = ContentMark(key: 7, number: 42)

    func authorize(_ write: WriteRequest, as principal: Principal) throws { try write.authorize(as: principal) }

    func deniedWrites(in className: String, as principal: Principal) throws -> [ClassRights.Operation] {
        AccessRules(principal, ClassRights(className)).deniedWrites
    }

    func mark(_ className: String, _ object: StoredObject, as principal: Principal) throws -> ObjectMark {
        ObjectMark(
            state: object.state, isHidden: object.isHidden, tag: object.contentMark.tag, fetched: nil)
    }

    private static func mark(_ objectId: String, _ terms: WriteTerms, _ state: State) -> ObjectMark? {
        guard terms.wantsMark else { return nil }
        return ObjectMark(state: state.states[objectId] ?? .synced, tag: contentMark.tag, fetched: nil)
    }

    private static func stored(_ id: String, _ fields: JSONObject, _ state: State) -> StoredObject {
        var object: JSONObject = [
            "objectId": .string(id), "createdAt": .string(time.iso), "updatedAt": .string(time.iso),
        ]
        for (field, value) in fields { object[field] = value }
        return StoredObject(
            objectId: id, json: object.jsonBytes, state: state.states[id] ?? .synced, contentMark: contentMark)
    }
}

extension ChangeEntry {
    /// The change as a store shows it to a caller: without the object if the caller may not read it.
    fileprivate func shown(to principal: Principal) -> ChangeEntry {
        ChangeEntry(
            number: number, className: className, objectId: objectId, kind: kind,
            json: AccessRules.feedShowsObjects(of: className, to: principal) ? json : nil, state: state,
            isHidden: isHidden, contentMark: contentMark)
    }

    /// The same change with an object of this size in bytes.
    func enlarged(to byteCount: Int) -> ChangeEntry {
        let text = String(repeating: "a", count: byteCount)
        return ChangeEntry(
            number: number, className: className, objectId: objectId, kind: kind,
            json: #"{"objectId":"\#(objectId)","text":"\#(text)"}"#)
    }
}

/// The live queries of a store that no test subscribes to.
private struct NoTransferStore: TransferStore {
    var objectsTogether: Int { 1 }
    func prepare(_ object: ImportedObject) -> PreparedImport { PreparedImport(object, fieldsMax: 1000) }
    func importObjects(
        _ objects: [PreparedImport], as principal: Principal, _ pass: ImportPass
    ) async throws -> [Result<ImportOutcome, any Error>] {
        throw StoreError.notPossible(reason: "a store in memory imports nothing")
    }
    func relationMembers(of className: String, _ field: String, each: (String, String) throws -> Void) throws {}
    func relationsWithMembers(of className: String) throws -> [String] { [] }
    func passwordHash(of userId: String) throws -> String? { nil }
}

private struct NoLiveStore: LiveStore {
    func follow(_ classes: Set<String>, for lifetime: Duration) async throws -> [String: Int64] { [:] }
    func changes(since: Int64, classes: Set<String>, limit: Int, for reader: LiveReader) throws -> LivePage {
        throw StoreError.feedTrimmed(oldest: 1, newest: 0)
    }
    func newChanges(since: Int64, classes: Set<String>, limit: Int, for reader: LiveReader) throws -> LivePage {
        try changes(since: since, classes: classes, limit: limit, for: reader)
    }
    func readability(of change: LiveChange, for reader: LiveReader) throws -> (before: Bool, after: Bool) {
        (false, false)
    }
    func rules(of className: String, as principal: Principal) throws -> AccessRules {
        AccessRules(principal, ClassRights(className))
    }
    func resolvingIds(in predicate: Predicate, of className: String) throws -> Predicate { predicate }
    func newest() throws -> Int64 { 0 }
    func restricts(_ principal: Principal) -> Bool { false }
    func takePosition(
        of key: LiveSubscriptionKey, by holder: Int64, notAfter last: Int64?, for lifetime: Duration
    ) async throws -> LivePosition { LivePosition(id: 0, number: 0, isComplete: true) }
    func remember(_ positions: [Int64: Int64], by holder: Int64?, for lifetime: Duration) async throws {}
    func forget(_ id: Int64) async throws {}
}
