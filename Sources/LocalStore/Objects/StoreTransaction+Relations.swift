import GRDB
import ParseModel
import SyncModel

/// The members of relations. They stand in no object's fields, so they have a table, and a law of their own: those of
/// the view are the pending steps replayed over those of the base. In a standalone store, where nothing is pending,
/// both are always the same.
extension StoreTransaction {
    /// Restores the law for an object that is about to be saved.
    /// - Returns: whether members of the view came or went.
    func replayMembers(of object: ObjectLife) throws -> Bool {
        let hasBase = object.base != nil || (!isReplica && object.view != nil)
        let pending = PendingMembers(steps: object.steps.map(\.step), hasBase: hasBase)
        let isKnown = try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM relation_members WHERE class = ? AND id = ?)")
        let hasMembers = try isKnown.firstRow([object.className, object.objectId]) { $0.bool(0) } ?? false
        guard hasMembers || !pending.decided.isEmpty else { return false }
        if !hasBase {
            try execute(
                "UPDATE relation_members SET in_base = 0 WHERE class = ? AND id = ? AND in_base",
                [object.className, object.objectId])
        }
        var changes = 0
        for (member, inBase) in try membersToReplay(of: object, all: pending.ignoresBase) {
            changes += try show(member, of: object, pending.isMember(member, inBase: inBase))
        }
        for (member, isMember) in pending.decided { changes += try show(member, of: object, isMember) }
        try execute(
            "DELETE FROM relation_members WHERE class = ? AND id = ? AND NOT in_base AND NOT in_view",
            [object.className, object.objectId])
        return changes > 0
    }

    /// Members whose view may have to change, beside those that the steps decide about: of a relation with many members
    /// these are few.
    private func membersToReplay(
        of object: ObjectLife, all: Bool
    ) throws -> [(member: PendingMembers.Member, inBase: Bool)] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT field, member_class, member_id, in_base FROM relation_members
                WHERE class = ? AND id = ? \(all ? "" : "AND in_base <> in_view")
                """)
        return try Row.fetchAll(statement, arguments: [object.className, object.objectId]).map { row in
            let pointer = Pointer(className: row[1], objectId: row[2])
            return (PendingMembers.Member(field: row[0], pointer: pointer), row[3])
        }
    }

    /// - Returns: how many members of the view came or went: one or none.
    private func show(_ member: PendingMembers.Member, of object: ObjectLife, _ isMember: Bool) throws -> Int {
        let key: SQLiteBindings = [
            object.className, object.objectId, member.field, member.pointer.className, member.pointer.objectId,
        ]
        if isMember {
            try execute(
                """
                INSERT INTO relation_members (class, id, field, member_class, member_id, in_base, in_view)
                VALUES (?, ?, ?, ?, ?, 0, 1) ON CONFLICT DO UPDATE SET in_view = 1 WHERE NOT in_view
                """, key)
        } else {
            try execute(
                """
                UPDATE relation_members SET in_view = 0
                WHERE class = ? AND id = ? AND field = ? AND member_class = ? AND member_id = ? AND in_view
                """, key)
        }
        return db.changesCount
    }

    /// What the operations do to relations has been done for good: by the remote, or by a store that has none.
    /// The view follows when the object is saved.
    func changeBaseMembers(of object: Pointer, by operations: FieldOperations) throws {
        for (field, change) in operations.relationChanges {
            for id in change.added {
                try execute(
                    """
                    INSERT INTO relation_members (class, id, field, member_class, member_id, in_base, in_view)
                    VALUES (?, ?, ?, ?, ?, 1, 0) ON CONFLICT DO UPDATE SET in_base = 1
                    """, [object.className, object.objectId, field, change.memberClass, id])
            }
            for id in change.removed {
                try execute(
                    """
                    UPDATE relation_members SET in_base = 0
                    WHERE class = ? AND id = ? AND field = ? AND member_class = ? AND member_id = ?
                    """, [object.className, object.objectId, field, change.memberClass, id])
            }
        }
    }

    /// The members of an object's relations in the view that was last saved, as the operations that make them so.
    func additionOfMembers(of object: ObjectLife) throws -> FieldOperations {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT field, member_class, member_id FROM relation_members WHERE class = ? AND id = ? AND in_view
                ORDER BY field, member_class, member_id
                """, arguments: [object.className, object.objectId])
        var members: [String: [Pointer]] = [:]
        for row in rows { members[row[0], default: []].append(Pointer(className: row[1], objectId: row[2])) }
        var operations = FieldOperations()
        for (field, members) in members.sorted(by: { $0.key < $1.key }) {
            guard case .relation(let memberClass)? = object.view?.fields[field].flatMap(FieldType.init) else {
                continue
            }
            let ids = members.filter { $0.className == memberClass }.map(\.objectId)
            if !ids.isEmpty { operations[field] = .relation(RelationChange(memberClass: memberClass, added: ids)) }
        }
        return operations
    }

    /// The object's relations go by another id of it. Whoever is a member of the base under one of them is one under
    /// the other; the view follows when the object is saved.
    func moveRelations(of className: String, from oldId: String, to newId: String) throws {
        try execute(
            """
            INSERT INTO relation_members (class, id, field, member_class, member_id, in_base, in_view)
            SELECT class, ?, field, member_class, member_id, in_base, in_view FROM relation_members
            WHERE class = ? AND id = ? ON CONFLICT DO UPDATE SET in_base = max(in_base, excluded.in_base)
            """, [newId, className, oldId])
        try execute("DELETE FROM relation_members WHERE class = ? AND id = ?", [className, oldId])
        try execute(
            "UPDATE OR REPLACE relation_pulls SET id = ? WHERE class = ? AND id = ?", [newId, className, oldId])
    }

    /// The object is gone, and its relations with it. Objects that were their members stay.
    func dropRelations(of className: String, _ objectId: String) throws {
        try execute("DELETE FROM relation_members WHERE class = ? AND id = ?", [className, objectId])
        try execute("DELETE FROM relation_pulls WHERE class = ? AND id = ?", [className, objectId])
    }
}
