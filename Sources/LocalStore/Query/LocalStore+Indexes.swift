import GRDB
import ParseModel
import StoreService

extension LocalStore {
    /// Creates the indexes that many queries lacked, and drops unused ones. Creating an index delays writes.
    /// - Returns: the created and dropped indexes, as `class field` or `class field order`.
    /// - Throws: `StoreError`.
    package func tendIndexes() async throws -> (made: [String], dropped: [String]) {
        let uptime = environment.uptime()
        let (present, useless) = try await read { db in
            (try IndexTable(db: db).all(), try IndexTable(db: db).uselessNames())
        }
        let due = indexes.due(present: Set(present), at: uptime)
        guard !due.make.isEmpty || !due.drop.isEmpty || !useless.isEmpty else { return ([], []) }
        let objectsMin = indexes.limits.objectsMin
        let made = try await write { transaction in
            let table = IndexTable(db: transaction.db)
            try table.dropUseless()
            for index in due.drop { try table.drop(index) }
            return try due.make.filter { try table.addIfUseful($0, objectsMin: objectsMin) }
        }
        for index in due.make where !made.contains(index) { indexes.noteRefused(index, at: uptime) }
        for index in made { indexes.noteCreated(index, at: uptime) }
        return (made.map(\.description), due.drop.map(\.description) + useless.map(FieldIndex.description(ofName:)))
    }
}
