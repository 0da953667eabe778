import CSQLite
import GRDB

extension Database {
    /// Makes query plans independent of bound values, so that prepared statements stay valid. By default, SQLite compares bound
    /// values with the conditions of partial indexes, such as `class = '_Role'`, and prepares a statement again each time that
    /// values are bound. In the simulation this took a seventh of the time. A query that needs a partial index must contain the
    /// text of the index's condition.
    func fixPlans() throws {
        let code = tidegate_sqlite_plan_without_values(sqliteConnection)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}
