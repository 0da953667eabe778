import GRDB
import ParseModel
import StoreService
import SyncModel

/// Held removals (removals that wait for a user's decision), and the signs that the remote was restored from a backup.
extension LocalSyncStore {
    /// Whether clients do not see the objects of held removals, which wait for a decision. True in the store of a
    /// single user, because the user may have lost the right to read them.
    var withholdsHeld: Bool { transactions.configuration.reader != nil }

    package func heldRemoval(in className: String) async throws -> Set<String> {
        try await read { try RemovalTable(db: $0).ids(in: className) }
    }

    package func heldRemoval(of objectIds: [String], in className: String) async throws -> Set<String> {
        try await read { try RemovalTable(db: $0).heldIds(among: objectIds, in: className) }
    }

    package func heldRemovalCount(in className: String) async throws -> Int {
        try await read { try RemovalTable(db: $0).heldCount(in: className) }
    }

    package func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws {
        try await write { transaction in
            let removals = RemovalTable(db: transaction.db)
            try removals.hold(objectIds, in: className, total: total, now: transaction.now)
            if withholdsHeld { try Withholding(transaction: transaction).hide(objectIds, of: className) }
        }
    }

    package func withheldIds(of className: String, after last: String?, max: Int) async throws -> [String] {
        try await readAtOnce { try Withholding.ids(of: className, after: last, max: max, in: $0) }
    }

    package func withhold(_ objectIds: [String], of className: String) async throws {
        guard try await !read({ try Withholding.visible(objectIds, of: className, in: $0) }).isEmpty else { return }
        try await write { try Withholding(transaction: $0).hide(objectIds, of: className) }
    }

    package func dropHeldRemoval(in className: String) async throws {
        guard try await read({ try RemovalTable(db: $0).isHeld(in: className) }) else { return }
        try await write { try RemovalTable(db: $0.db).drop(in: className) }
    }

    package func objectsNewer(than rows: [RemoteRecord], of className: String) async throws -> [String: KnownObject] {
        try await read { try RollbackSigns(db: $0).objectsNewer(than: rows, of: className, for: puller) }
    }

    package func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int
    ) async throws -> [Pointer] {
        try await read {
            try RollbackSigns(db: $0).mostRecentlyChanged(
                besides: gone, knownBefore: knownBefore, max: max, seesEverything: seesEverything)
        }
    }

    package func rollbackShape(
        of gone: [String: Set<String>], knownBefore: [String: ParseDate]
    ) async throws -> RollbackShape {
        try await read { try RollbackSigns(db: $0).shape(of: gone, knownBefore: knownBefore) }
    }

    package func holdsRestoredBackup() async throws -> Bool {
        try await read { try LostObjects(db: $0).holdsRestore() }
    }

    package func comparesAllAfterRestore() async throws -> Bool {
        try await read { try LostObjects(db: $0).comparesAll() }
    }

    package func setComparedAllAfterRestore() async throws {
        try await write { try LostObjects(db: $0.db).setComparedAll() }
    }

    package func lostIds(of className: String, max: Int) async throws -> [String] {
        try await read { try LostObjects(db: $0).idsOfRestore(of: className, isWithheld: false, max: max) }
    }

    package func holdLost(
        _ lost: [LostObject], of className: String, because reason: RemovalReason
    ) async throws {
        try await write { transaction in
            try LostObjects(db: transaction.db).hold(lost, of: className, because: reason, now: transaction.now)
            guard withholdsHeld, reason == .restoredBackup else { return }
            let missing = lost.filter { $0.row == nil }.map(\.objectId)
            try Withholding(transaction: transaction).hide(missing, of: className)
        }
    }
}
