import GRDB
import ParseModel
import StoreService

/// Finds and repairs damaged objects: objects whose stored JSON is unreadable.
extension LocalStore {
    /// Checks the whole file, records its damaged objects, and repairs them (`mendDamage`). Queries leave out a damaged object
    /// until its row is readable again.
    /// - Parameter isGentle: whether the check pauses after each slice of rows, three times as long as the slice took.
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
        damaged.replace(with: findings)
        try await mendDamage()
        return findings
    }

    /// Drops the indexes of classes with damaged objects, because an index prevents writes of a damaged row. In a replica,
    /// also rebuilds damaged objects with pending work, if possible. The next audit fetches the other damaged objects.
    /// - Throws: `StoreError`.
    package func mendDamage() async throws {
        let objects = damaged.all
        guard !objects.isEmpty else { return }
        try await write { try DamageRepair(transaction: $0).repair(objects) }
    }

    package func damagedCount(of className: String) -> Int { damaged.count(of: className) }

    package func noteDamage(in className: String) throws {
        try readOnce { try damaged.look(for: [className], in: $0) }
    }
}

/// Repairs damaged objects in a transaction, as `mendDamage` describes.
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

    /// Makes the next audit fetch the object. An audit fetches objects whose stored `updatedAt` differs from that on the remote.
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
