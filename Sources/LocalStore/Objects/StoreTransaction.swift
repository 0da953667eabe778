import GRDB
import ParseModel
import StoreService

/// One write transaction: everything that happens in it has one time and happens together.
struct StoreTransaction {
    let db: Database
    /// The stamp of all writes of the transaction.
    let now: ParseDate
    let store: LocalStore.Configuration
    let environment: Environment
    /// The identity on whose behalf the transaction reads and writes.
    let principal: Principal
    let schemas: SchemaCache
    /// Of objects that have changed since.
    let past: PastStates

    var isReplica: Bool { store.identity.isReplica }

    /// Undoes what `body` wrote where it throws, and nothing else.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try db.inPreparedSavepoint(body)
        } catch {
            schemas.forget()
            throw error
        }
    }

    func execute(_ sql: String, _ values: SQLiteBindings = []) throws {
        try db.cachedStatement(sql: sql).run(values)
    }

    // MARK: Aliases

    /// The id that an object is kept under: the remote's, where it was adopted in place of `objectId`.
    func resolve(_ className: String, _ objectId: String) throws -> String {
        let statement = try db.cachedStatement(sql: "SELECT id FROM aliases WHERE class = ? AND alias = ?")
        return try statement.firstRow([className, objectId]) { $0.text(0) } ?? objectId
    }

    func hasAliases(of className: String) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM aliases WHERE class = ?)")
        return try statement.firstRow([className]) { $0.bool(0) } ?? false
    }

    func resolve(_ operations: FieldOperations) throws -> FieldOperations {
        try resolve((operations, CheckedBody.References(in: operations)))
    }

    /// What a client has written, with pointers by the ids and files by the names that are known here.
    func resolve(
        _ write: (operations: FieldOperations, references: CheckedBody.References)
    ) throws -> FieldOperations {
        let operations = try resolve(write.references.files, in: write.operations)
        let pointers = write.references.pointers
        guard !pointers.isEmpty else { return operations }
        var adopted: [Pointer: Pointer] = [:]
        var hasAliases: [String: Bool] = [:]
        for pointer in pointers where adopted[pointer] == nil {
            let name = pointer.className
            let mayBeAlias = try hasAliases[name] ?? self.hasAliases(of: name)
            hasAliases[name] = mayBeAlias
            guard mayBeAlias else { continue }
            adopted[pointer] = Pointer(className: name, objectId: try resolve(name, pointer.objectId))
        }
        return adopted.isEmpty ? operations : operations.replacingPointers { adopted[$0] ?? $0 }
    }

    // MARK: Change feed

    /// How many entries the feed keeps at least, and how long (DESIGN §6).
    static let feedEntriesMax: Int64 = 100_000
    static let feedAgeMax = Duration.seconds(30 * 24 * 3600)

    func appendChange(_ className: String, _ objectId: String, _ kind: ChangeEntry.Kind) throws {
        try execute(
            "INSERT INTO changes (class, id, kind, at) VALUES (?, ?, ?, ?)",
            [className, objectId, kind.rawValue, now.milliseconds])
        let number = db.lastInsertedRowID
        if number % 1000 == 0 { try forgetChanges(before: number) }
    }

    /// Reads no further than to the first entry that is young enough: reading the age of all of them was 8% of a first pull.
    private func forgetChanges(before number: Int64) throws {
        try execute(
            """
            DELETE FROM changes WHERE number <= max(?,
                (SELECT number FROM changes WHERE at >= ? ORDER BY number LIMIT 1) - 1)
            """, [number - Self.feedEntriesMax, (now - Self.feedAgeMax).milliseconds])
    }

    // MARK: Classes

    /// The first write to a class makes it known; in a replica it is then pushed, not pulled, until it is registered.
    func ensureClass(_ name: String) throws {
        try execute("INSERT OR IGNORE INTO classes (name) VALUES (?)", [name])
    }
}
