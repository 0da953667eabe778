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

    /// The remote's word counts: objects that it lacks go here too, and older states become those here.
    func takeTheirs(_ lost: [Lost], of className: String, rebase: Rebase) throws {
        try releaseLost(lost.map(\.objectId), of: className)
        for item in lost {
            guard let object = try LocalObject(className, item.objectId, in: db) else { continue }
            if let latest = item.latest {
                _ = try apply([.upsert(latest)], of: className, rebase: rebase)
            } else if object.steps.last?.step.kind != .delete || object.state == .conflict {
                _ = try takeAbsence(of: item.objectId, in: className, rebase: rebase)
            }
        }
        try expectReturn(in: className)
    }

    /// The local state counts: objects that the remote lacks are made anew there, and older states are set again.
    func sendOurs(_ lost: [Lost], of className: String) throws {
        try releaseLost(lost.map(\.objectId), of: className)
        for item in lost {
            guard var object = try LocalObject(className, item.objectId, in: db), object.base != nil,
                object.steps.last?.step.kind != .delete || object.state == .conflict
            else { continue }
            let visible = object.view
            try closeConflicts(of: &object, resolution: "local")
            if let latest = item.latest {
                try setAgain(&object, as: visible, over: latest, since: item.ancestor ?? latest)
            } else {
                try recreate(&object, as: visible)
            }
            object.replay()
            try object.save(in: self)
        }
    }

    /// The fields that the restore has undone are set again; others' edits since of other fields stay. Where both have changed
    /// one, the record keeps theirs.
    private func setAgain(
        _ object: inout LocalObject, as visible: ObjectState?, over latest: RemoteRecord, since ancestor: RemoteRecord
    ) throws {
        guard let visible else { return }
        let row = try keptFields(of: object.className).restricted(latest, in: db).state
        let known = object.base
        let before = try keptFields(of: object.className).restricted(ancestor, in: db).fields
        var fields = JSONObject()
        var deleted: [String] = []
        for field in Set(visible.fields.map(\.key)).union(before.map(\.key)).sorted()
        where visible.fields[field] != before[field] {
            if let value = visible.fields[field] { fields[field] = value } else { deleted.append(field) }
        }
        var operations = try FieldOperations(body: fields, className: object.className)
        for field in deleted { operations[field] = .delete }
        for (field, change) in try additionOfMembers(of: object).relationChanges {
            operations[field] = .relation(change)
        }
        let disputed = operations.fields.filter {
            row.fields[$0] != before[$0] && row.fields[$0] != visible.fields[$0]
        }
        if !disputed.isEmpty {
            try recordConflict(
                .fields, of: object, fields: disputed, base: known, local: visible, remote: row, resolution: "local")
        }
        try object.dropAllSteps(in: self)
        object.base = row
        object.baseIsProvisional = false
        try noteNews(of: latest)
        guard !operations.isEmpty else { return }
        try object.append(PendingStep(kind: .update, operations: operations, madeAt: now), in: self)
    }
}
