import GRDB
import ParseModel
import StoreService
import SyncModel

/// Removals that are held back, and what a person has said of them.
extension StoreTransaction {
    private func takeRemoval(_ id: Int64) throws -> (className: String, lost: [Lost]) {
        let row = try Row.fetchOne(
            db, sql: "SELECT class, object_ids, reason FROM removals WHERE id = ?", arguments: [id])
        guard let row, let ids = try JSONReader.read(row[1] as String).array?.compactMap(\.string) else {
            throw StoreError.notFound(what: "removal \(id)")
        }
        try execute("DELETE FROM removals WHERE id = ?", [id])
        let listed = ids.map { Lost(objectId: $0, ancestor: nil, latest: nil) }
        return (row[0], try listed + lost(of: row[0], because: row[2]))
    }

    /// The objects are gone for good, here too, or as they were before. An object that was edited here meanwhile becomes a conflict.
    func confirmRemoval(_ id: Int64) throws {
        let (className, lost) = try takeRemoval(id)
        try takeTheirs(lost, of: className)
    }

    /// Objects count as gone from now on. Should they be there after all, no pull brings them back, and a count that
    /// is equal by chance hides that they are missing: so all is compared once.
    func expectReturn(in className: String) throws {
        try execute(
            "UPDATE pulls SET audited_at = 0 WHERE class = ? AND audited_at IS NOT NULL", [className])
    }

    /// The objects stay, and are made anew on the remote, or set again as they are here.
    func keepRemoval(_ id: Int64) throws {
        let (className, lost) = try takeRemoval(id)
        try sendOurs(lost, of: className)
    }
}
