import GRDB
import Testing

@testable import LocalStore

struct DirectStatementTests {
    private let queue: DatabaseQueue

    init() throws {
        queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE t (k INTEGER PRIMARY KEY, text TEXT UNIQUE, n INTEGER) STRICT")
        }
    }

    private func insert(_ text: String?, _ number: Int64?, in db: Database) throws {
        try db.cachedStatement(sql: "INSERT INTO t (text, n) VALUES (?, ?)").run([text, number])
    }

    @Test(arguments: ["", "a", "a text of more than fifteen bytes", "Grüße 👋", "zero\0in it"])
    func textsBoundToAStatementAreReadUnchanged(text: String) throws {
        let found = try queue.write { db in
            try insert(text, 1, in: db)
            return try db.cachedStatement(sql: "SELECT text FROM t WHERE text = ?").firstRow([text]) { $0.textIfAny(0) }
        }
        #expect(found == .some(text))
    }

    @Test func aNilValueIsBoundToAStatementAsNull() throws {
        let rows = try queue.write { db in
            try insert("a", 7, in: db)
            try insert(nil, nil, in: db)
            var rows: [[String?]] = []
            try db.cachedStatement(sql: "SELECT text, n FROM t ORDER BY k").forEachRow { row in
                rows.append([row.textIfAny(0), row.integerIfAny(1).map(String.init)])
            }
            return rows
        }
        #expect(rows == [["a", "7"], [nil, nil]])
    }

    @Test func aQueryWithoutARowReturnsNil() throws {
        let found = try queue.read { db in
            try db.cachedStatement(sql: "SELECT n FROM t WHERE text = ?").firstRow(["a"]) { $0.integer(0) }
        }
        #expect(found == nil)
    }

    /// A statement that is not reset after an error would keep its row locked, and the transaction could not end.
    @Test func aFailedSQLStatementCanBeRunAgain() throws {
        try queue.write { db in
            try insert("a", 1, in: db)
            let error = #expect(throws: DatabaseError.self) { try insert("a", 2, in: db) }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE)
            try insert("b", 2, in: db)
        }
    }
}
