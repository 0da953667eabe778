import Logging
import ParseModel
import RemoteService
import StoreService
import SyncModel

/// One sync, from its first request to its last transaction. This file is the algorithm; each phase has its own.
///
/// A remote without conditional writes is pulled before it is pushed to, so that another device's edits are seen
/// and not overwritten. Each step is one transaction, so a sync may end anywhere and the next one goes on from there.
struct SyncRun: Sendable {
    let store: any SyncStore
    let remote: any RemoteService
    let options: SyncOptions
    let environment: Environment
    let logger: Logger
    let observe: @Sendable (SyncEvent) -> Void
    /// Whether the sync shall end before its next request: somebody paused it, or the program stops.
    let isHalted: @Sendable () -> Bool
    /// Called when the remote has given an answer of its own: it can be reached.
    let hasAnswered: @Sendable () -> Void
    /// Counts the requests to the remote.
    let requests: RequestCount
    /// Told whenever the sync has come further.
    let report: @Sendable (SyncProgress) -> Void

    /// Whether the sync before this one had a change carried out by the remote.
    let pushedLastTime: Bool

    var summary = SyncSummary()
    var serverClock: ServerClock
    /// The uptime at which the latest request went out.
    private(set) var askedAt = Duration.zero
    /// The most rows of a page, for classes of which a page of the usual size is too much.
    var pageLimits: [String: PageLimit]
    /// Differences of counts that searching has not settled, by pull.
    var openDifferences: [PullId: OpenDifference]
    /// The reading of relations that earlier syncs have begun.
    var relations: RelationReading?
    /// The classes as they are set; read anew by each phase.
    var classes: [String: SyncClass] = [:]
    /// How many objects the remote has of each pull, as the last page of its complete pull told.
    var remoteCounts: [PullId: Int] = [:]
    /// Pulls that came to their end in this run, with the server time at which they began.
    var completePulls: [PullId: ParseDate] = [:]
    /// Pulls that began, by the server's clock, before the ones that they follow: somebody has set it back.
    var pullsInThePast: Set<PullId> = []
    /// The remote seems to be an older backup of itself, and a person has not decided yet.
    var isRestored = false
    /// The remote has been seen to be one, and not everything has been compared with it since.
    var comparesAll = false
    /// Objects whose acknowledged edit an older row of this run did not show, by class.
    var unseen: [String: Set<String>] = [:]
    /// Classes of which all that was sent and not read was asked for by name in this run.
    var confirmedClasses: Set<String> = []
    /// By class, the server time before which each object was known that is there: when the sync before this one began.
    var knownBefore: [String: ParseDate] = [:]
    /// Pulls that were audited in this run.
    var auditedPulls: Set<PullId> = []
    /// Entries that were sent in this run: each has one try a sync.
    var tried: Set<Int64> = []
    /// The names of files that were sent in this run, or tried to be.
    var triedFiles: Set<String> = []
    /// How many entries waited when the push began.
    private(set) var waitedAtPush = 0
    /// How many entries there are to push, with those that have come since.
    var pushTotal: Int { max(waitedAtPush, tried.count) }
    /// Entries of the latest request that were answered, by the id of the entry. Where the answer could not be written
    /// down, the next sync knows at least that nothing is on its way any more.
    var answered: Set<Int64>
    /// How many changes wait over which the remote has failed in so many words.
    var failingCount = 0
    /// Why nothing at all could be pulled, where the remote refused it.
    var refusal: SyncError?
    /// Requests in a row whose connection broke.
    var interruptions = 0
    /// Changes that the remote refused to put on top of another row than they were made on, with that row.
    var overtaking: [(entry: OutboxEntry, record: RemoteRecord?)] = []
    /// How often that has happened, by entry.
    var overtaken: [Int64: Int] = [:]
    /// Changes that go out once more without the class's field for ids of operations, with the words of the remote that
    /// refused them with it.
    var unmarked: [Int64: String] = [:]
    /// Changes of objects that the remote no longer has.
    var vanished: [OutboxEntry] = []
    /// Rows that the remote keeps and marks as deleted, of objects that are made again here.
    var marked: [Pointer: RemoteRecord] = [:]

    mutating func run(_ call: SyncRequest) async throws(SyncError) {
        try await readClasses()
        comparesAll = try await stored { try await $0.comparesAllAfterRestore() }
        let isHeld = try await stored { try await $0.holdsRestoredBackup() }
        isRestored = comparesAll || isHeld
        for syncClass in classes.values {
            knownBefore[syncClass.name] = syncClass.pulls.compactMap(\.completeSince).min()
        }
        // What was sent and not answered is settled by reading, before anything is rebased or sent again.
        try await phase(.prove) { run throws(SyncError) in try await run.proveUnknownOutcomes() }
        // A remote that refuses to overwrite needs no look before the push.
        let pullsFirst = call.pulls && !remote.capabilities.hasConditionalWrites
        if pullsFirst { try await pullAll() }
        var pushed: Set<String> = []
        if call.pushes {
            waitedAtPush = try await stored { try await $0.waitingCount() }
            // Small changes do not wait for large files, nor a file's object for other files.
            repeat {
                pushed.formUnion(
                    try await phase(.push, total: waitedAtPush) { run throws(SyncError) in
                        let pushed = try await run.push()
                        try await run.proveUnknownOutcomes()
                        return pushed
                    })
            } while try await phase(.files) { run throws(SyncError) in try await run.pushFiles() }
        }
        if call.pulls {
            if !pullsFirst { try await pullAll() }
            // The server may have changed more than it said when it took our changes: the rows tell.
            if pullsFirst, !pushed.isEmpty { try await pullAll(of: pushed) }
            let unseen = try await stored { try await $0.classesWithUnseenWrites() }
            try await confirmPushed(
                of: pushed.union(unseen).subtracting(classes.values.filter(\.isPulled).map(\.name)))
            // What has become doubtful meanwhile may show objects that we cannot tell for ours.
            for className in try await classesInDoubt() {
                for id in completePulls.keys where id.className == className { completePulls[id] = nil }
            }
            try await phase(.relations) { run throws(SyncError) in try await run.pullRelations() }
            if call.audits || comparesAll || auditIsDue() {
                try await phase(.audit) { run throws(SyncError) in
                    try await run.audit(always: call.audits || run.comparesAll)
                }
            }
            if recentAuditIsDue() {
                try await phase(.audit) { run throws(SyncError) in try await run.auditRecentRows() }
            }
            try await phase(.sweep) { run throws(SyncError) in
                try await run.sweep()
                try await run.settleUnseen()
            }
        }
        // A class that may not be listed is a state like any other; changes that went out are no failure either.
        if let refusal, completePulls.isEmpty, summary.pushed == 0, !refusal.isForbidden { throw refusal }
        let entries = try await stored { try await ($0.outbox(limit: Self.countMax), $0.unknownOutcomes()) }
        let files = try await stored { try await $0.filesToUpload(limit: Self.countMax) }
        summary.deferred =
            call.pushes ? entries.0.count { $0.awaits.isEmpty } + entries.1.count + files.count : 0
    }

    /// - Parameter pushed: the classes to pull; nil for all.
    private mutating func pullAll(of pushed: Set<String>? = nil) async throws(SyncError) {
        try await phase(.pull) { run throws(SyncError) in
            let classes = run.classes.values.filter { pushed?.contains($0.name) ?? true }
            try await run.pull(classes.sorted { $0.name < $1.name })
        }
    }

    /// One phase, and its line in the log.
    private mutating func phase<Value: Sendable>(
        _ phase: SyncProgress.Phase, total: Int? = nil, _ body: (inout SyncRun) async throws(SyncError) -> Value
    ) async throws(SyncError) -> Value {
        let (before, begin) = (summary, environment.uptime())
        report(SyncProgress(phase: phase, className: nil, done: 0, total: total))
        try await readClasses()
        let value = try await body(&self)
        summary.requests = requests.value
        observe(.phaseEnded(phase, duration: environment.uptime() - begin))
        let news = summary.since(before)
        logger.log(level: news.isEmpty ? .debug : .info, "\(phase.rawValue): \(news.isEmpty ? "nothing new" : news)")
        return value
    }

    /// How far what still waits is counted.
    static let countMax = 1000

    mutating func readClasses() async throws(SyncError) {
        let found = try await stored { try await $0.syncClasses() }
        classes = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
    }

    func options(of className: String) -> ClassOptions { classes[className]?.options ?? ClassOptions() }

    /// The class's field for ids of operations, where the remote can keep an array.
    func opField(of className: String) -> String? {
        let capabilities = remote.capabilities
        guard capabilities.values == .any, capabilities.writeForm == .fieldOperations,
            options(of: className).opFieldRefusal == nil
        else { return nil }
        return options(of: className).opField
    }

    var operationIds: OperationIds { OperationIds(replicaId: options.replicaId) }

    // MARK: Calls of store and remote, with their errors in the sync's words

    func stored<Value: Sendable>(
        _ body: @Sendable (any SyncStore) async throws -> Value
    ) async throws(SyncError) -> Value {
        do { return try await body(store) } catch { throw SyncError(storeFailure: error) }
    }

    mutating func asked<Value: Sendable>(
        _ body: @Sendable (any RemoteService) async throws(RemoteError) -> Value
    ) async throws(SyncError) -> Value {
        switch try await answer(body) {
        case .success(let value): return value
        case .failure(let error): throw SyncError(error)
        }
    }

    /// What one request has brought, in the remote's words.
    mutating func answer<Value: Sendable>(
        _ body: @Sendable (any RemoteService) async throws(RemoteError) -> Value
    ) async throws(SyncError) -> Result<Value, RemoteError> {
        if isHalted() { throw .halted }
        askedAt = environment.uptime()
        do {
            let value = try await body(remote)
            hasAnswered()
            return .success(value)
        } catch {
            if !error.isTransient { hasAnswered() }
            observe(.remoteFailed(SyncError(error)))
            return .failure(error)
        }
    }

    func isDeleted(_ record: RemoteRecord) -> Bool {
        record.isDeleted || options(of: record.className).deletedField.map { record.fields[$0]?.isTrue == true } == true
    }

    /// Takes in rows that were read for another reason than a pull; older ones are held back.
    /// - Parameter gone: objects that were looked for and are not there.
    /// - Returns: the rows that were taken in.
    @discardableResult
    mutating func applyNews(
        _ rows: [RemoteRecord], gone: [String] = [], of className: String
    ) async throws(SyncError) -> [RemoteRecord] {
        let records = try await news(rows, of: className)
        let tally = try await stored { store in
            try await store.apply(records, gone: gone, of: className, rebase: RebaseRules.rebase)
        }
        note(tally, of: className)
        return records
    }

    /// Two pulls of a class in one sync have the same to tell.
    mutating func warn(_ warning: String) {
        if !summary.warnings.contains(warning) { summary.warnings.append(warning) }
    }

    mutating func note(_ tally: PullTally, of className: String) {
        guard tally.upserted + tally.removed + tally.conflicts + tally.settled > 0 else { return }
        summary.note(className) {
            $0.pulled += tally.upserted
            $0.removed += tally.removed
            $0.conflicts += tally.conflicts
            $0.settled += tally.settled
        }
    }
}

extension JSONValue {
    /// As a language would have it in which a condition may be anything: neither false, 0, empty nor null.
    fileprivate var isTrue: Bool {
        switch self {
        case .null: false
        case .bool(let bool): bool
        case .number(let number): number != JSONNumber(0)
        case .string(let text): !text.isEmpty
        case .array, .object: true
        }
    }
}
