import GRDB
import ParseModel
import StoreService

extension LocalStore {
    /// Makes the indexes that queries have missed often, and drops those that none has used for long. Call it now and
    /// then; writes wait while an index is made.
    /// - Returns: what was made and dropped, as `class field`.
    /// - Throws: `StoreError`.
    package func tendIndexes() async throws -> (made: [String], dropped: [String]) {
        let uptime = environment.uptime()
        let due = indexes.due(present: Set(try await readOnce { try Self.fieldIndexes(in: $0) }), at: uptime)
        let useless = try await readOnce { try Self.uselessIndexNames(in: $0) }
        guard !due.make.isEmpty || !due.drop.isEmpty || !useless.isEmpty else { return ([], []) }
        let objectsMin = indexes.limits.objectsMin
        let made = try await write { transaction in
            for sql in useless.flatMap(FieldIndex.droppingSQL(named:)) { try transaction.db.execute(sql: sql) }
            for index in due.drop {
                for sql in index.droppingSQL { try transaction.db.execute(sql: sql) }
            }
            return try due.make.filter { index in
                let count = try Int.fetchOne(
                    transaction.db,
                    sql: "SELECT count(*) FROM (SELECT 1 FROM objects WHERE class = ? AND view IS NOT NULL LIMIT ?)",
                    arguments: [index.className, objectsMin])
                guard count ?? 0 >= objectsMin,
                    try Bool.fetchOne(transaction.db, sql: index.wouldBeOddSQL) == false
                else { return false }
                for sql in index.makingSQL { try transaction.db.execute(sql: sql) }
                return true
            }
        }
        for index in due.make { indexes.forgetMisses(index) }
        for index in made { indexes.noteUse(index, at: uptime) }
        let named = { (index: FieldIndex) in "\(index.className) \(index.path.dotted)" }
        return (made.map(named), due.drop.map(named) + useless.map(FieldIndex.description(ofName:)))
    }

    /// Indexes that an earlier program made, of fields that no query is answered by an index of: only writes have to do with them.
    static func uselessIndexNames(in db: Database) throws -> [String] {
        try String.fetchAll(try db.cachedStatement(sql: FieldIndex.namesSQL)).filter { FieldIndex(name: $0) == nil }
    }

    static func fieldIndexes(in db: Database) throws -> [FieldIndex] {
        try String.fetchAll(try db.cachedStatement(sql: FieldIndex.namesSQL)).compactMap { FieldIndex(name: $0) }
    }

    /// The index to answer a query by; nil where there is none that serves it.
    /// - Parameter isNoted: whether it counts as used, or as missed.
    func index(
        for query: ParseQuery, of className: String, in db: Database, isNoted: Bool
    ) throws -> FieldIndex? {
        let wanted = query.indexablePaths.compactMap { FieldIndex(className: className, path: $0) }
        guard let best = wanted.first else { return nil }
        let present = Set(try Self.fieldIndexes(in: db))
        let found = try wanted.first { index in
            try present.contains(index) && Bool.fetchOne(db.cachedStatement(sql: index.isOddSQL)) == false
        }
        if isNoted {
            if let found { indexes.noteUse(found, at: environment.uptime()) }
            if !present.contains(best) { indexes.noteMiss(best) }
        }
        return found
    }
}
