import GRDB
import ParseModel
import StoreService

/// Maintains a store: finds and repairs damage, tends indexes, and removes unused files and cached objects.
struct LocalMaintenance: StoreMaintenance {
    let transactions: Transactions
    let damaged: DamagedObjects
    let indexes: IndexKeeper
    /// How this kind of store repairs damaged objects.
    let repair: DamageRepair.Way
    let files: LocalFiles

    private var environment: Environment { transactions.environment }

    func isUntouched() async throws -> Bool { try await transactions.read { try StoreIdentity.isUntouched($0) } }

    // MARK: Damage

    /// Checks the whole file, records its damaged objects, and repairs them (`mendDamage`). Queries leave out a damaged object
    /// until its row is readable again.
    /// - Parameter isGentle: whether the check pauses after each slice of rows, for three times the duration of the slice.
    /// - Throws: `StoreError`, and `CancellationError` if the task is cancelled.
    func checkFile(isGentle: Bool) async throws -> FileFindings {
        let findings: FileFindings
        do {
            var began = environment.uptime()
            findings = try await FileCheck.run(try transactions.file.openReader()) { [environment] _ in
                guard isGentle else { return }
                try await environment.sleep((environment.uptime() - began) * 3)
                began = environment.uptime()
            }
        } catch {
            throw StoreError.wrapping(error, operation: "check the file")
        }
        damaged.replace(with: findings)
        try await mendDamage()
        return findings
    }

    /// Drops the indexes of classes with damaged objects, because SQLite cannot write a damaged row of an indexed
    /// class. In a replica, also rebuilds damaged objects with pending changes, if possible. The next audit (comparison
    /// with the remote) fetches the other damaged objects.
    /// - Throws: `StoreError`.
    func mendDamage() async throws {
        let objects = damaged.all
        guard !objects.isEmpty else { return }
        try await transactions.write { [repair] in try DamageRepair(transaction: $0).repair(objects, repair) }
    }

    // MARK: Indexes

    /// Creates the indexes that many queries could have used, and drops unused indexes. Creating an index delays writes.
    /// - Returns: the created and dropped indexes, as `class field` or `class field order`.
    /// - Throws: `StoreError`.
    func tendIndexes() async throws -> (made: [String], dropped: [String]) {
        let uptime = environment.uptime()
        let (present, useless) = try await transactions.read { db in
            (try IndexTable(db: db).all(), try IndexTable(db: db).uselessNames())
        }
        let due = indexes.due(present: Set(present), at: uptime)
        guard !due.make.isEmpty || !due.drop.isEmpty || !useless.isEmpty else { return ([], []) }
        let objectsMin = indexes.limits.objectsMin
        let made = try await transactions.write { transaction in
            let table = IndexTable(db: transaction.db)
            try table.dropUseless()
            for index in due.drop { try table.drop(index) }
            return try due.make.filter { try table.addIfUseful($0, objectsMin: objectsMin) }
        }
        for index in due.make where !made.contains(index) { indexes.noteRefused(index, at: uptime) }
        for index in made { indexes.noteCreated(index, at: uptime) }
        return (made.map(\.description), due.drop.map(\.description) + useless.map(FieldIndex.description(ofName:)))
    }

    // MARK: Files, rights and memory

    func collectFiles(grace: Duration) async throws -> Int { try await files.collectFiles(grace: grace) }

    func removeLooseContents(grace: Duration) async throws { try await files.removeLooseContents(grace: grace) }

    func takeNewRights() async throws -> EffectiveRights? {
        guard try await transactions.readOnce({ try Meta.value(of: EffectiveRights.newKey, in: $0) }) != nil else {
            return nil
        }
        return try await transactions.write(isLocal: true) { transaction in
            try Meta.set(EffectiveRights.newKey, nil, in: transaction.db)
            return try EffectiveRights("acl <> 0", in: transaction.db)
        }
    }

    func dropUnusedObjects() { transactions.objectCache.removeUnused() }

    func interruptReads() { transactions.file.interruptReads() }
}
