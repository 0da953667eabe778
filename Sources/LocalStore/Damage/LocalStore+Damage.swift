import GRDB
import ParseModel
import StoreService

extension LocalStore {
    /// Looks for damage in the file, and has damaged objects left out of lists from then on. In a replica, objects without pending
    /// work are read again from the remote, by the next sync's audit.
    /// - Parameter isGentle: whether the check pauses after each slice of the file for three times as long as the slice took.
    /// - Throws: `StoreError`, and `CancellationError` where the task is cancelled.
    package func checkFile(isGentle: Bool) async throws -> FileFindings {
        let findings: FileFindings
        do {
            var began = environment.uptime()
            findings = try await FileCheck.run(try openReading()) { [environment] _ in
                guard isGentle else { return }
                try await environment.sleep((environment.uptime() - began) * 3)
                began = environment.uptime()
            }
        } catch {
            throw StoreError.wrapping(error, operation: "check the file")
        }
        damaged.replace(with: findings.objects)
        try await mendDamage()
        return findings
    }

    /// Makes a way for damaged objects to be written again: the indexes of their classes are dropped. In a replica the next
    /// sync's audit reads objects without pending work from the remote, and others are made anew from their last known state and
    /// the changes that wait.
    /// - Throws: `StoreError`.
    package func mendDamage() async throws {
        let objects = damaged.all
        guard !objects.isEmpty else { return }
        let isReplica = configuration.identity.isReplica
        try await write { transaction in
            for name in Set(objects.map(\.className)) { try transaction.dropIndexes(of: name) }
            for object in objects where isReplica && !object.isReplaceable {
                do {
                    var mended = try LocalObject(object.className, object.objectId, in: transaction.db)
                    try mended?.save(in: transaction)
                } catch StoreError.damaged {
                    // It stays known as damaged.
                }
            }
            for object in objects where isReplica && object.isReplaceable {
                // An audit fetches each object whose time of change differs from the remote's.
                try transaction.execute("UPDATE objects SET updated_at = 0 WHERE pk = ?", [object.key])
                try transaction.execute(
                    "UPDATE pulls SET audited_at = 0 WHERE class = ? AND audited_at IS NOT NULL", [object.className])
            }
        }
    }

    package func noteDamage(in className: String) throws {
        try readOnce { try damaged.look(for: [className], in: $0) }
    }
}

/// Writes of objects whose stored JSON is damaged.
extension StoreTransaction {
    /// SQLite computes a row's key in each index before it writes the row again, and fails where the row is damaged.
    func dropIndexes(of className: String) throws {
        let useless = try LocalStore.uselessIndexNames(in: db).flatMap(FieldIndex.droppingSQL(named:))
        let indexes = try LocalStore.fieldIndexes(in: db).filter { $0.className == className }
        for sql in useless + indexes.flatMap(\.droppingSQL) { try db.execute(sql: sql) }
    }

    /// Deletes a damaged object of a standalone store. Nothing of its fields is looked at.
    func deleteDamaged(_ className: String, _ objectId: String, wantsMark: Bool) throws -> WriteReceipt {
        try dropIndexes(of: className)
        guard var object = try LocalObject(damaged: className, objectId, in: db) else {
            throw ParseError.objectNotFound
        }
        try object.save(in: self)
        return WriteReceipt(
            objectId: objectId, createdAt: now, updatedAt: now, echoed: JSONObject(),
            mark: wantsMark ? ObjectMark(state: .deleted, tag: nil, fetched: nil) : nil)
    }
}
