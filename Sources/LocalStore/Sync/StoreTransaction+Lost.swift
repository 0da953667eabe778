import GRDB
import ParseModel
import StoreService
import SyncModel

/// Objects that the remote lost, or has as they were before, and the decisions about them.
extension StoreTransaction {
    /// The ids of objects that a person is asked about, from `lost_objects l`. One that has been deleted since, or that has no remote
    /// state any more, is no question any more.
    static let lostIds = """
        SELECT l.id FROM lost_objects l JOIN objects o ON o.class = l.class AND o.id = l.id AND +o.base_kind > 0
            AND o.view IS NOT NULL WHERE 1
        """

    /// Set from the first sign of a restored backup until a sync has compared everything.
    static let comparesAll = "compares_all_after_restore"

    func holdLost(_ lost: [LostObject], of className: String, because reason: RemovalReason) throws {
        guard !lost.isEmpty else { return }
        let isFirst =
            try Int.fetchOne(db, sql: "SELECT 1 FROM removals WHERE reason = ?", arguments: [reason.rawValue]) == nil
        // Where some are older or gone, others may be: a person's answer ends that only after all has been compared once.
        if isFirst, reason == .restoredBackup { try Meta.set(Self.comparesAll, "1", in: db) }
        for object in lost {
            let text = object.row?.jsonText
            // A row that comes later is the state that others' edits since the restore are told from.
            try execute(
                """
                INSERT INTO lost_objects (class, id, reason, ancestor, latest) VALUES (?1, ?2, ?3, ?4, ?4)
                ON CONFLICT DO UPDATE SET ancestor = coalesce(ancestor, excluded.ancestor), latest = excluded.latest
                """, [className, object.objectId, reason.rawValue, text])
        }
        try execute(
            """
            INSERT INTO removals (class, reason, object_ids, total, found_at)
            VALUES (?1, ?2, '[]', coalesce((SELECT bases FROM class_counts WHERE class = ?1), 0), ?3)
            ON CONFLICT (class, reason) DO UPDATE SET total = excluded.total
            """, [className, reason.rawValue, now.milliseconds])
    }

    func releaseLost(_ objectIds: [String], of className: String) throws {
        for id in objectIds {
            try execute("DELETE FROM lost_objects WHERE class = ? AND id = ?", [className, id])
        }
        try dropAnsweredRemovals()
    }

    /// Drops removals without an open question.
    private func dropAnsweredRemovals() throws {
        try execute(
            """
            DELETE FROM lost_objects WHERE NOT EXISTS (
                SELECT 1 FROM objects o WHERE o.class = lost_objects.class AND o.id = lost_objects.id AND o.base_kind > 0)
            """, [])
        try execute(
            """
            DELETE FROM removals WHERE reason <> 'tooMany' AND NOT EXISTS (
                SELECT 1 FROM lost_objects l WHERE l.class = removals.class AND l.reason = removals.reason)
            """, [])
    }

    /// A lost object as it is asked about.
    struct Lost {
        let objectId: String
        let ancestor: RemoteRecord?
        let latest: RemoteRecord?
    }

    func lost(of className: String, because reason: String) throws -> [Lost] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT l.id, l.ancestor, l.latest FROM lost_objects l WHERE l.class = ? AND l.reason = ? ORDER BY l.id
                """, arguments: [className, reason]
        ).map { row in
            Lost(
                objectId: row[0], ancestor: try Self.record(row[1], row[0], className),
                latest: try Self.record(row[2], row[0], className))
        }
    }

    private static func record(_ text: String?, _ objectId: String, _ className: String) throws -> RemoteRecord? {
        guard let text, let json = try JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object,
            let state = ObjectState(json: json)
        else { return nil }
        return RemoteRecord(className: className, objectId: objectId, state: state)
    }

    // MARK: Decisions

    /// The remote's state counts: objects that it lacks go here too, and older states become those here.
    func takeTheirs(_ lost: [Lost], of className: String) throws {
        try releaseLost(lost.map(\.objectId), of: className)
        for item in lost {
            guard let object = try LocalObject(className, item.objectId, in: db) else { continue }
            if let latest = item.latest {
                _ = try apply([.upsert(latest)], of: className)
            } else if !object.life.endsInDelete || object.life.state == .conflict {
                _ = try receive(.absent, className, item.objectId)
            }
        }
        try expectReturn(in: className)
    }

    /// The local state counts: objects that the remote lacks are created again there, and older states are set again.
    func sendOurs(_ lost: [Lost], of className: String) throws {
        try releaseLost(lost.map(\.objectId), of: className)
        for item in lost {
            let event =
                item.latest.map { LifeEvent.setAgain(latest: $0, ancestor: item.ancestor ?? $0) } ?? .createdAgain
            _ = try receive(event, className, item.objectId)
        }
    }
}
