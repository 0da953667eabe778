import GRDB
import ParseModel
import RemoteService

/// Removals that are held back, and what a person has said of them.
extension StoreTransaction {
    private func takeRemoval(_ id: Int64) throws -> (className: String, objectIds: [String]) {
        let row = try Row.fetchOne(db, sql: "SELECT class, object_ids FROM removals WHERE id = ?", arguments: [id])
        guard let row, let ids = try JSONReader.read(row[1] as String).array?.compactMap(\.string) else {
            throw StoreError.notFound(what: "removal \(id)")
        }
        try execute("DELETE FROM removals WHERE id = ?", [id])
        return (row[0], ids)
    }

    /// The objects are gone for good, here too. What was edited here meanwhile becomes a conflict.
    func confirmRemoval(_ id: Int64, rebase: Rebase) throws {
        let (className, objectIds) = try takeRemoval(id)
        for objectId in objectIds {
            guard let object = try LocalObject(className, objectId, in: db) else { continue }
            // A deletion goes out all the same.
            if object.steps.last?.step.kind == .delete, object.state != .conflict { continue }
            _ = try takeAbsence(of: objectId, in: className, rebase: rebase)
        }
        try expectReturn(in: className)
    }

    /// Objects count as gone from now on. Should they be there after all, no pull brings them back, and a count that
    /// is equal by chance hides that they are missing: so all is compared once.
    func expectReturn(in className: String) throws {
        try execute(
            "UPDATE pulls SET audited_at = 0 WHERE class = ? AND audited_at IS NOT NULL", [className])
    }

    /// The objects stay, and are made anew on the remote.
    func keepRemoval(_ id: Int64) throws {
        let (className, objectIds) = try takeRemoval(id)
        for objectId in objectIds {
            guard var object = try LocalObject(className, objectId, in: db), object.base != nil,
                object.steps.last?.step.kind != .delete || object.state == .conflict
            else { continue }
            let visible = object.view
            try closeConflicts(of: &object, resolution: "local")
            try recreate(&object, as: visible)
            object.replay()
            try object.save(in: self)
        }
    }
}
