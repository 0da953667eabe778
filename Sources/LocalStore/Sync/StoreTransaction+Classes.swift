import GRDB
import ParseModel
import StoreService
import SyncModel

/// What is set for a class, and which objects belong to its pulls.
extension StoreTransaction {
    func classOptions(of className: String) throws -> ClassOptions {
        let statement = try db.cachedStatement(sql: "SELECT options FROM classes WHERE name = ?")
        return try String.fetchOne(statement, arguments: [className]).map(ClassOptions.init(stored:)) ?? ClassOptions()
    }

    /// A class that is not pulled is kept as it was written.
    func keptFields(of className: String) throws -> KeptFields {
        try KeptFields(of: className, in: db)
    }

    func pulls(of className: String) throws -> [NamedPull] {
        try NamedPull.all(of: className, in: db)
    }

    /// Nil where the class is no longer pulled in that way.
    func scope(of pull: PullId) throws -> PullScope? {
        guard let set = try pulls(of: pull.className).first(where: { $0.name == pull.name }) else { return nil }
        let syncClass = SyncClass(name: pull.className, options: try classOptions(of: pull.className), pulls: [])
        guard pull.asking == nil || pull == syncClass.id(of: set) else { return nil }
        return PullScope(set, of: pull.className, options: syncClass.options)
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
        let counts = try db.cachedStatement(
            sql: "SELECT base_kind > 0, view IS NOT NULL FROM objects WHERE class = ? AND id = ?"
        ).firstRow([className, objectId]) { (bases: Int($0.integer(0)), views: Int($0.integer(1))) }
        try execute("DELETE FROM objects WHERE class = ? AND id = ?", [className, objectId])
        if let counts { try count(className, bases: -counts.bases, views: -counts.views) }
        try execute("DELETE FROM pull_members WHERE class = ? AND id = ?", [className, objectId])
        try appendChange(className, objectId, .delete)
    }
}
