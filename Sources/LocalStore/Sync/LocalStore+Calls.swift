import GRDB
import ParseModel
import StoreService

/// The parts of the outbox and of the names that a call to the remote needs.
extension LocalStore {
    package func remoteNames(of things: NamedThings) throws -> RemoteNames {
        guard !things.isEmpty else { return RemoteNames() }
        return try readOnce { db in
            var names = RemoteNames()
            let ofObject = try db.cachedStatement(sql: "SELECT id FROM aliases WHERE class = ? AND alias = ?")
            for pointer in things.pointers {
                guard
                    let id = try String.fetchOne(ofObject, arguments: [pointer.className, pointer.objectId])
                else { continue }
                names.pointers[pointer] = Pointer(className: pointer.className, objectId: id)
            }
            let ofText = try db.cachedStatement(
                sql: "SELECT DISTINCT a.id FROM classes c JOIN aliases a ON a.class = c.name AND a.alias = ? LIMIT 2")
            let ofFile = try db.cachedStatement(sql: "SELECT name FROM file_aliases WHERE alias = ?")
            for text in things.texts {
                let ids = try String.fetchAll(ofText, arguments: [text])
                // An id that two classes have given to different objects says nothing without its class.
                if ids.count == 1 { names.texts[text] = ids[0] }
                if let name = try String.fetchOne(ofFile, arguments: [text]) { names.texts[text] = name }
            }
            return names
        }
    }

    /// One of the things with a refused change or an open question; nil where there is none.
    package func undecidedObject(among things: NamedThings) throws -> Pointer? {
        guard !things.isEmpty else { return nil }
        return try readOnce { db in
            let undecided = try Row.fetchAll(
                db,
                sql: """
                    SELECT class, id FROM outbox WHERE phase IN ('rejected', 'held')
                    UNION SELECT class, object_id FROM conflicts WHERE resolution IS NULL
                    """)
            let aliases = try db.cachedStatement(sql: "SELECT alias FROM aliases WHERE class = ? AND id = ?")
            for row in undecided {
                let pointer = Pointer(className: row[0], objectId: row[1])
                let earlier = try String.fetchAll(aliases, arguments: [pointer.className, pointer.objectId])
                let isNamed = ([pointer.objectId] + earlier).contains { id in
                    things.texts.contains(id)
                        || things.pointers.contains(Pointer(className: pointer.className, objectId: id))
                }
                if isNamed { return pointer }
            }
            return nil
        }
    }

    /// The number of the latest change in the outbox; 0 where it is empty.
    package func latestWrite() throws -> Int64 {
        try readOnce { try Int64.fetchOne($0, sql: "SELECT max(seq) FROM outbox") ?? 0 }
    }

    /// How many changes up to a number have not reached the remote.
    /// - Parameter undecided: also those that were refused or wait for a decision.
    package func writesWaiting(upTo number: Int64, undecided: Bool) throws -> Int {
        let phases = "'pending', 'inFlight', 'unknown'" + (undecided ? ", 'rejected', 'held'" : "")
        return try readOnce {
            try Int.fetchOne(
                $0, sql: "SELECT count(*) FROM outbox WHERE phase IN (\(phases)) AND seq <= ?", arguments: [number])
                ?? 0
        }
    }
}
