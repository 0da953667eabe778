import ParseModel
import StoreService

/// Repairs damaged objects, whose stored JSON is unreadable, in a transaction. `LocalMaintenance.mendDamage` describes
/// the repair.
struct DamageRepair {
    /// Whether objects of this kind of store can be repaired with the help of a remote.
    enum Way {
        /// The file has the only copy of an object, so a damaged object cannot be fetched again.
        case none
        /// The remote has the objects, and an audit (a comparison of all objects with the remote) fetches damaged ones
        /// again.
        case fromRemote
    }

    let transaction: StoreTransaction

    func repair(_ objects: [FileFindings.DamagedObject], _ way: Way) throws {
        let indexes = IndexTable(db: transaction.db)
        for name in Set(objects.map(\.className)) { try indexes.drop(of: name) }
        guard way == .fromRemote else { return }
        for object in objects {
            if object.isReplaceable { try expectRow(of: object) } else { try rebuild(object) }
        }
    }

    /// Makes the next audit (comparison with the remote) fetch the object. An audit fetches objects whose stored
    /// `updatedAt` differs from the remote's.
    private func expectRow(of object: FileFindings.DamagedObject) throws {
        try transaction.db.run("UPDATE objects SET updated_at = 0 WHERE pk = ?", [object.key])
        try PullTable(db: transaction.db, author: transaction.author).expectReturn(in: object.className)
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
