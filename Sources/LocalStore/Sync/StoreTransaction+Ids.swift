import GRDB
import ParseModel
import SyncModel

/// The remote's ids of objects that were created here.
extension StoreTransaction {
    /// The object under the remote's id becomes a part of another one. A pull has brought it before the answer to the create.
    func absorb(_ objectId: String, into object: inout LocalObject, storedAs localId: String) throws {
        let className = object.life.className
        guard var pulled = try LocalObject(className, objectId, in: db) else { return }
        object.takeSteps(from: &pulled)
        pulled.life.base = nil
        pulled.life.view = nil
        try moveRelations(of: className, from: objectId, to: localId)
        try pulled.save(in: self)
    }

    /// The object goes by the remote's id. The local id stays an alias for ever.
    func rename(_ local: Pointer, to remoteId: String) throws {
        let className = local.className
        try moveRelations(of: className, from: local.objectId, to: remoteId)
        try execute("UPDATE aliases SET id = ? WHERE class = ? AND id = ?", [remoteId, className, local.objectId])
        try execute(
            """
            INSERT INTO unanswered (class, id, ended_at) SELECT class, ?, ended_at FROM unanswered WHERE class = ? AND id = ?
            ON CONFLICT (class, id) DO UPDATE SET ended_at = max(ended_at, excluded.ended_at)
            """, [remoteId, className, local.objectId])
        try execute("DELETE FROM unanswered WHERE class = ? AND id = ?", [className, local.objectId])
        try execute(
            "INSERT OR REPLACE INTO aliases (class, alias, id) VALUES (?, ?, ?)",
            [className, local.objectId, remoteId])
        try execute(
            "UPDATE conflicts SET object_id = ? WHERE class = ? AND object_id = ?",
            [remoteId, className, local.objectId])
    }

    /// Pending changes that point to the local id point to the remote's id from now on. Other pointers to it do not exist: the
    /// remote has never heard of it.
    func rewritePointers(from local: Pointer, to remote: Pointer) throws {
        let find = try db.cachedStatement(
            sql: """
                SELECT DISTINCT o.class, o.id FROM outbox_pointers p JOIN outbox o ON o.seq = p.seq
                WHERE p.class = ? AND p.id = ? ORDER BY o.seq
                """)
        for row in try Row.fetchAll(find, arguments: [local.className, local.objectId]) {
            _ = try receive(.pointerAdopted(from: local, to: remote), row[0], row[1])
        }
    }
}
