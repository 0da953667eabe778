import ParseModel
import StoreService

/// Repairs damaged objects in a transaction, as `LocalMaintenance.mendDamage` describes.
struct DamageRepair {
    /// How a kind of store repairs damaged objects.
    enum Way {
        /// The file is the only place of the objects, so they cannot be fetched again.
        case none
        /// The remote has the objects, and an audit fetches them again.
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

    /// Makes the next audit fetch the object. An audit fetches objects whose stored `updatedAt` differs from that on the remote.
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
