import GRDB
import ParseModel
import StoreService

/// Damaged objects: finding them, and making them writable again.
extension LocalStore {
    /// Checks the file, and makes the damaged objects writable by `mendDamage`. Lists leave out a damaged object until it is
    /// readable again.
    /// - Parameter isGentle: whether the check pauses after each slice of the file, for three times the duration of the slice.
    /// - Throws: `StoreError`, and `CancellationError` if the task is cancelled.
    package func checkFile(isGentle: Bool) async throws -> FileFindings {
        let findings: FileFindings
        do {
            var began = environment.uptime()
            findings = try await FileCheck.run(try openReader()) { [environment] _ in
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

    /// Makes damaged objects writable by dropping the indexes of their classes. In a replica, it also rebuilds objects with pending
    /// work from their last known state and their pending changes. The next audit reads the others again.
    /// - Throws: `StoreError`.
    package func mendDamage() async throws {
        let objects = damaged.all
        guard !objects.isEmpty else { return }
        try await write { try DamageRepair(transaction: $0).repair(objects) }
    }

    package func noteDamage(in className: String) throws {
        try readOnce { try damaged.look(for: [className], in: $0) }
    }
}

/// Makes damaged objects writable.
struct DamageRepair {
    let transaction: StoreTransaction

    func repair(_ objects: [FileFindings.DamagedObject]) throws {
        let indexes = IndexTable(db: transaction.db)
        for name in Set(objects.map(\.className)) { try indexes.drop(of: name) }
        guard transaction.isReplica else { return }
        for object in objects {
            if object.isReplaceable { try expectRow(of: object) } else { try rebuild(object) }
        }
    }

    /// Makes the next audit fetch the object: an audit fetches objects whose `updatedAt` differs from the remote's.
    private func expectRow(of object: FileFindings.DamagedObject) throws {
        try transaction.db.run("UPDATE objects SET updated_at = 0 WHERE pk = ?", [object.key])
        try PullTable(db: transaction.db, identity: transaction.identity).expectReturn(in: object.className)
    }

    private func rebuild(_ object: FileFindings.DamagedObject) throws {
        do {
            var rebuilt = try LocalObject(object.className, object.objectId, in: transaction.db)
            try rebuilt?.save(in: transaction)
        } catch StoreError.damaged {
            // The object cannot be rebuilt. It stays in the list of damaged objects.
        }
    }
}
