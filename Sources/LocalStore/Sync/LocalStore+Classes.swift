import Dispatch
import GRDB
import ParseModel
import StoreService
import SyncModel

/// Which classes are synced, and how.
extension LocalStore {
    package func syncClasses() async throws -> [SyncClass] {
        try await read { db in
            let pulls = try Row.fetchAll(
                db,
                sql: """
                    SELECT class, name, conditions, keys, cursor, complete_since, began, audited_at,
                        recently_audited_at, refusal FROM pulls ORDER BY class, name
                    """)
            let byClass = try Dictionary(grouping: pulls) { $0[0] as String }.mapValues { try $0.map(PullState.init) }
            return try Row.fetchAll(db, sql: "SELECT name, options, stopped_because FROM classes ORDER BY name").map {
                SyncClass(
                    name: $0[0], options: try ClassOptions(stored: $0[1]), pulls: byClass[$0[0]] ?? [],
                    stoppedBecause: $0[2])
            }
        }
    }

    /// The class is pulled from now on: whole, unless it is pulled in some way already.
    /// - Parameter files: which files of a class come here that was not kept before.
    /// - Parameter opField: the field for ids of operations, where the class has none.
    package func registerClass(
        _ name: String, files: FileDownloads, opField: String?
    ) async throws {
        try await configureClass(name) { options, pulls in
            options.opField = options.opField ?? opField
            guard pulls.isEmpty else { return }
            pulls = [.all]
            if options.files == FileDownloads() { options.files = files }
        }
    }

    /// Sets how a class is synced. A pull whose `where` or keys have changed begins anew.
    /// - Throws: `ParseError` 107 or 108 for a name that no class can have.
    package func configureClass(
        _ name: String, _ change: @escaping @Sendable (inout ClassOptions, inout [NamedPull]) throws -> Void
    ) async throws {
        try ClassName.validate(name)
        try await write { transaction in
            try transaction.ensureClass(name)
            var options = try transaction.classOptions(of: name)
            let before = try transaction.pulls(of: name)
            var pulls = before
            let optionsBefore = options
            try change(&options, &pulls)
            if options.opField != optionsBefore.opField {
                try transaction.changeOpField(of: name, from: optionsBefore.opField, to: options.opField)
            }
            // Rows that were pulled already say whether they are deleted, or have come without what they are asked for now.
            if options.deletedField != optionsBefore.deletedField
                || (optionsBefore.opField != nil && options.opField != optionsBefore.opField)
                || pulls.contains(where: { $0.keys(with: optionsBefore) != $0.keys(with: options) })
            {
                try transaction.beginPullsAnew(of: name)
            }
            try transaction.execute("UPDATE classes SET options = ? WHERE name = ?", [options.stored, name])
            if options.files != optionsBefore.files { try transaction.renoteFiles(of: name) }
            for pull in before where !pulls.contains(pull) { try transaction.dropPull(pull, of: name) }
            for pull in pulls where !before.contains(pull) {
                try transaction.execute(
                    "INSERT INTO pulls (class, name, conditions, keys) VALUES (?, ?, ?, ?)",
                    [name, pull.name, pull.conditions.jsonText, pull.storedKeys])
                // What is here already may be outside of it.
                try transaction.expectStrays(in: name)
            }
        }
    }

    /// The class is not synced any more.
    /// - Parameters:
    ///   - purge: also drop its objects from this file; the remote keeps them.
    ///   - force: also where that drops changes which are not on the remote.
    /// - Throws: `StoreError.notPossible` while changes wait to be sent, are refused or in conflict.
    package func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws {
        try await write { transaction in
            let isKnown = try Bool.fetchOne(
                transaction.db, sql: "SELECT EXISTS (SELECT 1 FROM classes WHERE name = ?)", arguments: [name])
            guard isKnown == true else { throw StoreError.notFound(what: "class \(name)") }
            let ids = try String.fetchAll(
                transaction.db, sql: "SELECT DISTINCT id FROM outbox WHERE class = ?", arguments: [name])
            guard ids.isEmpty || force else {
                throw StoreError.notPossible(
                    reason: "\(ids.count) changed objects of \(name) are not on the remote yet")
            }
            try transaction.dropPendingWork(of: ids, in: name)
            if purge { try transaction.purge(name) }
            try transaction.execute("DELETE FROM removals WHERE class = ?", [name])
            try transaction.execute("DELETE FROM lost_objects WHERE class = ?", [name])
            try transaction.execute("DELETE FROM unseen_writes WHERE class = ?", [name])
            try transaction.execute("DELETE FROM pull_members WHERE class = ?", [name])
            try transaction.execute("DELETE FROM skipped_rows WHERE class = ?", [name])
            try transaction.execute("DELETE FROM classes WHERE name = ?", [name])
        }
    }

    /// Drops objects of a class from this file; the remote keeps them. What a pull still covers comes back when it is next
    /// pulled or audited.
    /// - Parameters:
    ///   - query: its `where` tells which; nil for all objects, whose pulls then begin anew.
    ///   - force: also those with changes that are not on the remote.
    /// - Returns: how many went.
    /// - Throws: `StoreError.notPossible` where some have such changes.
    package func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int {
        var found: [String]?
        if let query { found = try await ids(of: name, query) }
        let ids = found
        return try await write { transaction in
            let pending = Set(
                try String.fetchAll(
                    transaction.db, sql: "SELECT DISTINCT id FROM outbox WHERE class = ?", arguments: [name]))
            let waiting = ids.map { $0.filter(pending.contains) } ?? pending.sorted()
            guard waiting.isEmpty || force else {
                throw StoreError.notPossible(
                    reason: "\(waiting.count) changed objects of \(name) are not on the remote yet")
            }
            try transaction.dropPendingWork(of: waiting, in: name)
            guard let ids else {
                try transaction.execute("DELETE FROM pull_members WHERE class = ?", [name])
                try transaction.beginPullsAnew(of: name)
                return try transaction.purge(name)
            }
            var count = 0
            for id in ids where try transaction.isKept(name, id) {
                try transaction.evict(name, id)
                count += 1
            }
            return count
        }
    }

    /// How long looking for the objects of a purge may take.
    private static let purgeTimeout = ReadTimeout(.seconds(20))
    private static let purgeSearches = DispatchQueue(label: "tidegate.purge-searches")

    /// Looks on a thread of its own, since the threads of tasks are few.
    private func ids(of className: String, _ query: ParseQuery) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            Self.purgeSearches.async { [self] in
                continuation.resume(
                    with: Result {
                        var ids: [String] = []
                        _ = try find(className, query, as: .master, timeout: Self.purgeTimeout) {
                            ids.append($0.objectId)
                        }
                        return ids
                    })
            }
        }
    }
}

extension StoreTransaction {
    fileprivate func dropPull(_ pull: NamedPull, of className: String) throws {
        try execute("DELETE FROM pull_members WHERE class = ? AND pull = ?", [className, pull.name])
        try execute("DELETE FROM skipped_rows WHERE class = ? AND pull = ?", [className, pull.name])
        try execute("DELETE FROM pulls WHERE class = ? AND name = ?", [className, pull.name])
        try expectStrays(in: className)
    }

    fileprivate func beginPullsAnew(of className: String) throws {
        try execute(
            """
            UPDATE pulls SET cursor = NULL, complete_since = NULL, began = NULL, audited_at = NULL,
                recently_audited_at = NULL, refusal = NULL WHERE class = ?
            """, [className])
    }

    fileprivate func isKept(_ className: String, _ objectId: String) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM objects WHERE class = ? AND id = ?")
        return try Int.fetchOne(statement, arguments: [className, objectId]) != nil
    }

    /// Forgets what was done here and is not on the remote, and what somebody was asked about it.
    fileprivate func dropPendingWork(of objectIds: [String], in className: String) throws {
        for id in objectIds {
            _ = try receive(.purged, className, id)
        }
    }

    /// Drops all objects of a class.
    /// - Returns: how many went.
    @discardableResult
    func purge(_ className: String) throws -> Int {
        let ids = try String.fetchAll(
            db, sql: "SELECT id FROM objects WHERE class = ? ORDER BY pk", arguments: [className])
        for id in ids { try appendChange(className, id, .delete) }
        try execute("DELETE FROM objects WHERE class = ?", [className])
        try execute("DELETE FROM class_counts WHERE class = ?", [className])
        try execute("DELETE FROM skipped_rows WHERE class = ?", [className])
        try execute("DELETE FROM removals WHERE class = ?", [className])
        try execute("DELETE FROM lost_objects WHERE class = ?", [className])
        try execute("DELETE FROM unseen_writes WHERE class = ?", [className])
        try execute("DELETE FROM relation_members WHERE class = ?", [className])
        try execute("DELETE FROM relation_pulls WHERE class = ?", [className])
        return ids.count
    }
}

extension PullState {
    fileprivate init(_ row: Row) throws {
        let date = { (index: Int) in (row[index] as Int64?).map(ParseDate.init(milliseconds:)) }
        self.init(
            pull: NamedPull(
                name: row[1], conditions: try JSONReader.read(row[2] as String).object ?? [:],
                keys: try NamedPull.keys(stored: row[3])), cursor: (row[4] as String?).map(PullCursor.init(text:)),
            completeSince: date(5), began: date(6), auditedAt: date(7), recentlyAuditedAt: date(8), refusal: row[9])
    }
}
