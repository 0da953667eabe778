import GRDB

extension Database {
    /// Rolls back the changes of `body`, and only these, if it throws. Unlike GRDB's `inSavepoint` it uses prepared
    /// statements, because every write has its own savepoint (4% of a create). GRDB executes the statements, because it
    /// keeps track of savepoints.
    func inPreparedSavepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: "SAVEPOINT tidegate").execute()
        do {
            let value = try body()
            try cachedStatement(sql: "RELEASE SAVEPOINT tidegate").execute()
            return value
        } catch {
            // On a full disk SQLite rolls back the whole transaction, including the savepoint.
            if isInsideTransaction {
                try cachedStatement(sql: "ROLLBACK TO SAVEPOINT tidegate").execute()
                try cachedStatement(sql: "RELEASE SAVEPOINT tidegate").execute()
            }
            throw error
        }
    }
}
