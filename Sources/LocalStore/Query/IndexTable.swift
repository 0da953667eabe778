import GRDB

/// Lists, creates and drops the field indexes in the file.
struct IndexTable {
    let db: Database

    func all() throws -> [FieldIndex] { try names().compactMap { FieldIndex(name: $0) } }

    /// The names of indexes that an earlier version of Tidegate created. No query uses them, and they make writes slower.
    func uselessNames() throws -> [String] { try names().filter { FieldIndex(name: $0) == nil } }

    private func names() throws -> [String] { try db.texts(FieldIndex.namesSQL) }

    /// Creates the index if the class has enough objects, and no object of the class has an array, a relation or a file in the
    /// field.
    /// - Returns: whether the index was created.
    func addIfUseful(_ index: FieldIndex, objectsMin: Int) throws -> Bool {
        let count = try db.count(
            "SELECT count(*) FROM (SELECT 1 FROM objects WHERE class = ? AND view IS NOT NULL LIMIT ?)",
            [index.className, objectsMin])
        guard count >= objectsMin, try !db.isTrue(index.scanForListsSQL) else { return false }
        try execute(index.makingSQL)
        // An index with an order replaces the index without one, because it serves the same queries.
        if index.order != nil, let unordered = index.unordered { try drop(unordered) }
        return true
    }

    func drop(_ index: FieldIndex) throws {
        let others = try all().filter { $0 != index && $0.isOnSameField(as: index) }
        try execute(index.droppingSQL(keepsList: !others.isEmpty))
    }

    func dropUseless() throws { try execute(uselessNames().flatMap(FieldIndex.droppingSQL(named:))) }

    /// Drops all field indexes of a class, so that a damaged row can be changed or deleted. SQLite would compute the row's key
    /// for each index, which fails for a damaged row.
    func drop(of className: String) throws {
        try dropUseless()
        for index in try all() where index.className == className { try drop(index) }
    }

    private func execute(_ statements: [String]) throws { for sql in statements { try db.execute(sql: sql) } }
}
