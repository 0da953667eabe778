import GRDB
import ParseModel
import StoreService
import SyncModel

/// The store of one sync engine, which pulls and sends as an author: the gateway or one user.
package struct LocalSyncStore: SyncStore {
    let transactions: Transactions
    /// The author as whom the engine reads the remote.
    let puller: AuthorKey
    /// The author whose changes and uploads the engine sends.
    let author: AuthorKey

    /// - Parameter author: nil if the engine sends the changes of the puller.
    init(_ transactions: Transactions, as puller: AuthorKey, sending author: AuthorKey? = nil) {
        self.transactions = transactions
        self.puller = puller
        self.author = author ?? puller
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await transactions.readOnce(body)
    }

    /// Reads with several statements in one snapshot.
    func readAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        try await transactions.read(body)
    }

    func write<Value: Sendable>(
        _ kind: WriteKind = .other, _ body: @escaping @Sendable (StoreTransaction) throws -> Value
    ) async throws -> Value {
        try await transactions.write(of: puller, kind: kind, body)
    }

    // MARK: SyncClassStore

    package func syncClasses() async throws -> [SyncClass] {
        try await readAtOnce { [puller, rules = transactions.configuration.valueRules] db in
            try ClassTable(db: db).all(pulledBy: puller).map { known in
                guard rules?.mapsValues(of: known.name) == true else { return known }
                var known = known
                known.mapping = try ClassMappings(db: db).mapping(of: known.name, declared: known.options.mapping)
                return known
            }
        }
    }

    package func mapping(of className: String) async throws -> ClassMapping {
        try await readAtOnce { try ClassMappings(db: $0).mapping(of: className) }
    }

    package func recorded(_ fact: RemoteFact) async throws -> String? {
        try await read { try Meta.value(of: StoreIdentity.key(of: fact), in: $0) }
    }

    package func record(_ fact: RemoteFact, _ value: String) async throws -> String {
        let key = StoreIdentity.key(of: fact)
        return try await write { transaction in
            if let known = try Meta.value(of: key, in: transaction.db) { return known }
            try Meta.set(key, value, in: transaction.db)
            return value
        }
    }

    package func note(_ fact: RemoteFact, _ value: String) async throws {
        try await write { try Meta.set(StoreIdentity.key(of: fact), value, in: $0.db) }
    }

    package func setStopped(_ className: String, because reason: String?) async throws {
        try await write { try ClassTable(db: $0.db).setStopped(className, because: reason) }
    }

    package func noteRefusal(ofOpField opField: String, of className: String, _ message: String) async throws {
        try await write { transaction in
            let classes = ClassTable(db: transaction.db)
            var options = try classes.options(of: className)
            guard options.opField == opField else { return }
            options.opFieldRefusal = message
            try classes.set(options, of: className)
        }
    }

    // MARK: PullStore

    package func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool
    ) async throws -> PullTally {
        try await write(isLast ? .lastPage : .page) { transaction in
            let pulls = PullTable(db: transaction.db, author: puller)
            guard let scope = try pulls.scope(of: pull) else { return PullTally() }
            if let mapping = pull.mapping {
                guard try mapping == ClassMappings(db: transaction.db).mapping(of: pull.className) else {
                    return PullTally()
                }
            }
            var page = try PulledPage(of: pull.className, by: scope, in: transaction)
            let tally = try page.apply(changes)
            if !withholdsHeld, try pulls.isRefused(pull) {
                try Withholding(transaction: transaction).showHeld(of: pull.className)
            }
            try pulls.moveCursor(of: pull, to: cursor, began: began, isLast: isLast)
            return tally
        }
    }

    package var rowsTogether: Int { transactions.file.writer.pageRows }

    package func apply(_ records: [RemoteRecord], gone: [String], of className: String) async throws -> PullTally {
        try await write { transaction in
            var page = try PulledPage(of: className, in: transaction)
            var tally = try page.apply(records.map(RemoteChange.upsert))
            for objectId in gone { tally += try transaction.receive(.absent, className, objectId) }
            return tally
        }
    }

    package func noteSkipped(_ row: SkippedRow, of pull: PullId) async throws {
        try await write { try SkippedRows(db: $0.db, author: puller).note(row, of: pull) }
    }

    package func skippedIds(of pull: PullId) async throws -> (all: Set<String>, missing: Set<String>) {
        try await read { try SkippedRows(db: $0, author: puller).ids(of: pull) }
    }

    package func forgetSkipped(_ objectIds: [String], of className: String) async throws {
        try await write { transaction in
            for id in objectIds { try SkippedRows(db: transaction.db, author: puller).forget(id, of: className) }
        }
    }

    package func pulledCount(of className: String) async throws -> Int {
        try await read { try PullTable(db: $0, author: puller).memberCount(of: className) }
    }

    package func setRefusal(_ refusal: String, of pull: PullId, hidesObjects: Bool) async throws {
        try await write { transaction in
            let pulls = PullTable(db: transaction.db, author: puller)
            try pulls.setRefusal(refusal, of: pull)
            let withholding = Withholding(transaction: transaction)
            guard hidesObjects, !seesEverything, try withholding.hideAll(of: pull, by: puller) else { return }
            // The objects become visible to clients again when a pull reads their rows. So the pull must read all rows
            // when the remote accepts it again.
            try pulls.readAllAgain(pull.className)
        }
    }

    package func pullAnew(_ className: String) async throws {
        try await write { try PullTable(db: $0.db, author: puller).readAllAgain(className) }
    }

    package func join(_ objectIds: [String], _ pull: PullId) async throws {
        try await write { transaction in
            let pulls = PullTable(db: transaction.db, author: puller)
            if try pulls.scope(of: pull)?.isWholeClass == false { try pulls.join(objectIds, pull) }
        }
    }

    package func leave(_ objectIds: [String], _ pull: PullId) async throws {
        try await write { transaction in
            let pulls = PullTable(db: transaction.db, author: puller)
            if try pulls.scope(of: pull) != nil { try pulls.leave(objectIds, pull) }
        }
    }

    package func pushedStrays(of className: String) async throws -> [String] {
        try await read { try ClassTable(db: $0).evictableStrays(of: className, pushedOnly: true) }
    }

    package func keptStrays(of className: String) async throws -> [String] {
        try await read { try BaseObjects(db: $0).keptStrays(of: className) }
    }

    package func evictStrays(of className: String, besides missing: Set<String>) async throws -> Int {
        guard try await read({ try ClassTable(db: $0).mayHaveStrays(className) }) else { return 0 }
        return try await write {
            try ClassTable(db: $0.db).evictStrays(
                of: className, besides: missing, now: $0.now, pointers: try $0.pointersOfReads(of: className))
        }
    }

    package func samples(of className: String, max: Int) async throws -> [String] {
        try await read { try FieldSamples(db: $0).objectIds(of: className, max: max) }
    }

    package func lostFields(in records: [RemoteRecord]) async throws -> [String] {
        try await readAtOnce { try FieldSamples(db: $0).lostFields(in: records) }
    }

    // MARK: RelationStore

    package func waitingRelations(before: ParseDate) async throws -> [WaitingRelations] {
        try await read { try RelationPulls(db: $0, author: puller).columns(before: before) }
    }

    package func relationsToPull(
        of column: RelationField? = nil, limit: Int, before: ParseDate
    ) async throws -> [RelationPull] {
        try await read { try RelationPulls(db: $0, author: puller).next(of: column, limit: limit, before: before) }
    }

    package func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer> {
        try await read { db in
            let members = RelationMembers(db: db)
            return Set(try lists.filter { try members.losesMembers(by: $0) }.map(\.owner))
        }
    }

    /// Replaces the stored remote members of relations, and applies the pending changes to them again. If the members
    /// that clients see change, the change feed gets an update of the relation's owner. A relation is skipped if the
    /// remote is not known to have its owner.
    package func setBaseMembers(
        _ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration
    ) async throws {
        try await write { transaction in
            let table = RelationMembers(db: transaction.db)
            for list in relations {
                // Most relations are empty both here and on the remote. Their owners need no write.
                let isEmpty = try list.memberIds.isEmpty && !table.exist(of: list.owner, list.field)
                let (className, objectId) = (list.owner.className, list.owner.objectId)
                if !isEmpty, var owner = try LocalObject(className, objectId, in: transaction.db),
                    owner.life.base != nil
                {
                    try owner.watchRoles(in: transaction, replacing: list)
                    try table.setBase(list)
                    try owner.save(in: transaction)
                }
                try RelationPulls(db: transaction.db, author: puller).finish(list, at: serverTime, overlap: overlap)
            }
        }
    }

    package func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws {
        guard !relations.isEmpty else { return }
        try await write { transaction in
            for relation in relations {
                try RelationPulls(db: transaction.db, author: puller).postpone(relation, at: serverTime)
            }
        }
    }

    // MARK: SweepStore

    var seesEverything: Bool { transactions.configuration.seesEverything }

    private func pullRows(_ pull: PullId, created range: CreatedRange = .all, in db: Database) throws -> PullRows {
        try PullRows(pull, by: puller, created: range, seesEverything: seesEverything, in: db)
    }

    package func baseCount(of pull: PullId) async throws -> Int {
        try await read { try pullRows(pull, in: $0).count() }
    }

    package func listedCount(of pull: PullId) async throws -> Int {
        try await read { db in
            let rows = try pullRows(pull, in: db)
            return try rows.count() - (withholdsHeld ? rows.withheldCount() : 0)
        }
    }

    package func listedIds(of pull: PullId, among objectIds: [String]) async throws -> [String] {
        try await read { try pullRows(pull, in: $0).seenIds(among: objectIds, besidesWithheld: withholdsHeld) }
    }

    package func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange] {
        try await read { db in
            let times = try pullRows(pull, created: range, in: db).times(besidesWithheld: withholdsHeld)
            return CountedRange.parts(of: range, parts, all: times.all, hidden: times.hidden)
        }
    }

    package func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>) {
        try await read { db in
            let ids = try pullRows(pull, created: range, in: db).ids()
            return (ids.all.subtracting(ids.hidden), ids.hidden)
        }
    }

    package func baseIds(of pull: PullId, among objectIds: [String]) async throws -> [String] {
        try await read { try pullRows(pull, in: $0).seenIds(among: objectIds) }
    }

    package func setDeletionsSince(_ position: String?, of pull: PullId) async throws {
        try await write { try PullTable(db: $0.db, author: puller).setDeletionsSince(position, of: pull) }
    }

    package func canaries(
        of className: String, besides objectIds: [String], max: Int
    ) async throws -> [[Pointer]] {
        try await read {
            try BaseObjects(db: $0).canaries(
                of: className, besides: objectIds, max: max, for: puller, seesEverything: seesEverything)
        }
    }

    package func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate] {
        try await read { try BaseObjects(db: $0).stamps(of: objectIds, in: className) }
    }

    package func provisionalIds(of className: String) async throws -> [String] {
        try await read {
            try UnseenWrites(db: $0, author: puller).provisionalIds(of: className, includesPrivate: seesEverything)
        }
    }

    package func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws {
        try await write { try PullTable(db: $0.db, author: puller).setAudited(pull, at: serverTime) }
    }

    package func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws {
        try await write { try PullTable(db: $0.db, author: puller).setRecentlyAudited(pull, at: serverTime) }
    }

    package func updateTime(of className: String, newest place: Int) async throws -> ParseDate? {
        try await read { try BaseObjects(db: $0).updateTime(of: className, newest: place) }
    }

    // MARK: UnseenWriteStore

    package func classesWithUnseenWrites() async throws -> Set<String> {
        try await read { try UnseenWrites(db: $0, author: puller).classes() }
    }

    package func unseenWrites(of className: String, max: Int) async throws -> [KnownObject] {
        try await read { try UnseenWrites(db: $0, author: puller).objects(of: className, max: max) }
    }

    package func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String> {
        try await read { try UnseenWrites(db: $0, author: puller).unshownIds(among: objectIds, of: className) }
    }

    package func noteOlderRows(of objectIds: [String], of className: String, at serverTime: ParseDate) async throws {
        try await write {
            try UnseenWrites(db: $0.db, author: puller).noteOlderRows(of: objectIds, of: className, at: serverTime)
        }
    }

    package func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws {
        try await write {
            try UnseenWrites(db: $0.db, author: puller).noteLooks(at: objectIds, of: className, at: serverTime)
        }
    }

    package func hide(_ objectIds: [String], of className: String) async throws {
        try await write { try UnseenWrites(db: $0.db, author: puller).hide(objectIds, of: className) }
    }
}
