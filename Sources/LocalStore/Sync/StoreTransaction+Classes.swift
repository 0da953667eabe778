import GRDB
import ParseModel
import RemoteService

/// What is set for a class, and which objects belong to its pulls.
extension StoreTransaction {
    func classOptions(of className: String) throws -> ClassOptions {
        let statement = try db.cachedStatement(sql: "SELECT options FROM classes WHERE name = ?")
        return try String.fetchOne(statement, arguments: [className]).map(ClassOptions.init(stored:)) ?? ClassOptions()
    }

    func keptFields(of className: String) throws -> KeptFields {
        let statement = try db.cachedStatement(sql: "SELECT keys FROM pulls WHERE class = ?")
        let lists = try Optional<String>.fetchAll(statement, arguments: [className]).map(NamedPull.keys(stored:))
        // A class that is not pulled is as it was written.
        guard !lists.isEmpty else { return KeptFields(keys: nil) }
        var keys: Set<String> = ["ACL"]
        for list in lists {
            guard let list else { return KeptFields(keys: nil) }
            keys.formUnion(list)
        }
        return KeptFields(keys: keys)
    }

    /// Nil where the class is no longer pulled in that way.
    func scope(of pull: PullId) throws -> PullScope? {
        let statement = try db.cachedStatement(sql: "SELECT conditions, keys FROM pulls WHERE class = ? AND name = ?")
        guard let row = try Row.fetchOne(statement, arguments: [pull.className, pull.name]) else { return nil }
        return PullScope(
            id: pull, isWholeClass: row[0] as String == "{}", keys: try NamedPull.keys(stored: row[1]))
    }

    // MARK: Members

    func join(_ objectIds: [String], _ pull: PullId) throws {
        for id in objectIds {
            try execute(
                "INSERT OR IGNORE INTO pull_members (class, pull, id) VALUES (?, ?, ?)",
                [pull.className, pull.name, id])
        }
    }

    func leave(_ objectIds: [String], _ pull: PullId) throws {
        for id in objectIds {
            try execute(
                "DELETE FROM pull_members WHERE class = ? AND pull = ? AND id = ?", [pull.className, pull.name, id])
        }
        try expectStrays(in: pull.className)
    }

    /// The class may have objects now that no pull holds.
    func expectStrays(in className: String) throws {
        try execute("UPDATE classes SET may_have_strays = 1 WHERE name = ? AND NOT may_have_strays", [className])
    }

    /// Drops objects that no pull holds and that have nothing to wait for. They are not deleted: the remote keeps them.
    /// - Returns: how many went.
    func evictStrays(of className: String) throws -> Int {
        let flag = try db.cachedStatement(sql: "SELECT may_have_strays FROM classes WHERE name = ?")
        guard try Bool.fetchOne(flag, arguments: [className]) == true else { return 0 }
        let strays = """
            FROM objects o WHERE class = ?1 AND EXISTS (SELECT 1 FROM pulls WHERE class = ?1)
                AND NOT EXISTS (SELECT 1 FROM pulls WHERE class = ?1 AND conditions = '{}')
                AND NOT EXISTS (SELECT 1 FROM pull_members m WHERE m.class = ?1 AND m.id = o.id)
            """
        let ids = try String.fetchAll(
            db,
            sql: "SELECT id \(strays) AND state = \(SyncState.synced.rawValue) AND NOT is_provisional ORDER BY pk",
            arguments: [className])
        for id in ids { try evict(className, id) }
        // Those with pending work go when that is done.
        try execute("UPDATE classes SET may_have_strays = EXISTS (SELECT 1 \(strays)) WHERE name = ?1", [className])
        return ids.count
    }

    /// Takes an object without pending work out of the file.
    func evict(_ className: String, _ objectId: String) throws {
        try dropRelations(of: className, objectId)
        try execute("DELETE FROM objects WHERE class = ? AND id = ?", [className, objectId])
        try execute("DELETE FROM pull_members WHERE class = ? AND id = ?", [className, objectId])
        try appendChange(className, objectId, .delete)
    }
}
