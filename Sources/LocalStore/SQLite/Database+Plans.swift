import CSQLite
import GRDB

extension Database {
    /// Makes plans independent of bound values, so that a statement stays prepared. Otherwise SQLite compares the values with the
    /// conditions of partial indexes, such as `class = '_Role'`, and prepares a statement again each time that it is bound. In the
    /// simulation this took a seventh of the time. A query that needs a partial index contains the text of its condition.
    func fixPlans() throws {
        let code = tidegate_sqlite_plan_without_values(sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
