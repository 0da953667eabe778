import GRDB

extension Database {
    /// Undoes the changes of `body` if it throws, and nothing else. Unlike GRDB's `inSavepoint` it keeps its statements prepared,
    /// because each write has a savepoint of its own (4% of a create). GRDB executes them, since it follows savepoints.
    func inPreparedSavepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try cachedStatement(sql: "SAVEPOINT tidegate").execute()
        do {
            let value = try body()
            try cachedStatement(sql: "RELEASE SAVEPOINT tidegate").execute()
            return value
        } catch {
            // A full disk makes SQLite undo the whole transaction, including the savepoint.
            if isInsideTransaction {
                try cachedStatement(sql: "ROLLBACK TO SAVEPOINT tidegate").execute()
                try cachedStatement(sql: "RELEASE SAVEPOINT tidegate").execute()
            }
            throw error
        }
    }
}
