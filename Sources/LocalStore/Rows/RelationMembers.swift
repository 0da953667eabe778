import GRDB
import ParseModel
import SyncModel

/// The table `relation_members`: the members of relations, on the remote (`in_base`) and as clients see them
/// (`in_view`). Invariant: the members that clients see are the remote's members after the object's pending changes. In
/// a standalone store, both are the same.
struct RelationMembers {
    let db: Database

    /// Updates the members that clients see: applies the object's pending changes to the remote's members. Called when
    /// the object is saved.
    /// - Returns: whether clients see any members added or removed.
    func replay(_ object: ObjectLife) throws -> Bool {
        // An object of a standalone store has no pending changes and no remote state. Its members are stored as if the
        // remote had them.
        let hasBase = object.base != nil || (object.view != nil && object.steps.isEmpty)
        let pending = PendingMembers(steps: object.shownSteps, hasBase: hasBase)
        let hasMembers = try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM relation_members WHERE class = ? AND id = ?)",
            [object.className, object.objectId])
        guard hasMembers || !pending.decided.isEmpty else { return false }
        if !hasBase {
            try db.run(
                "UPDATE relation_members SET in_base = 0 WHERE class = ? AND id = ? AND in_base",
                [object.className, object.objectId])
        }
        var changes = 0
        for (member, inBase) in try membersToReplay(of: object, all: pending.ignoresBase) {
            changes += try show(member, of: object, pending.isMember(member, inBase: inBase))
        }
        for (member, isMember) in pending.decided { changes += try show(member, of: object, isMember) }
        try db.run(
            "DELETE FROM relation_members WHERE class = ? AND id = ? AND NOT in_base AND NOT in_view",
            [object.className, object.objectId])
        return changes > 0
    }

    /// The stored members to compare with the pending changes: all members of the object's relations if `all` is true,
    /// otherwise those whose `in_base` and `in_view` differ.
    private func membersToReplay(
        of object: ObjectLife, all: Bool
    ) throws -> [(member: PendingMembers.Member, inBase: Bool)] {
        try db.rows(
            """
            SELECT field, member_class, member_id, in_base FROM relation_members
            WHERE class = ? AND id = ? \(all ? "" : "AND in_base <> in_view")
            """, [object.className, object.objectId]
        ) { (PendingMembers.Member(field: $0.text(0), pointer: $0.pointer(1)), $0.bool(3)) }
    }

    /// Makes the member visible to clients, or invisible.
    /// - Returns: the number of changed rows, 0 or 1.
    private func show(_ member: PendingMembers.Member, of object: ObjectLife, _ isMember: Bool) throws -> Int {
        let key: SQLiteBindings = [
            object.className, object.objectId, member.field, member.pointer.className, member.pointer.objectId,
        ]
        if isMember {
            try db.run(
                """
                INSERT INTO relation_members (class, id, field, member_class, member_id, in_base, in_view)
                VALUES (?, ?, ?, ?, ?, 0, 1) ON CONFLICT DO UPDATE SET in_view = 1 WHERE NOT in_view
                """, key)
        } else {
            try db.run(
                """
                UPDATE relation_members SET in_view = 0
                WHERE class = ? AND id = ? AND field = ? AND member_class = ? AND member_id = ? AND in_view
                """, key)
        }
        return db.changesCount
    }

    /// Applies operations to the stored members of the remote: acknowledged operations in a replica, all operations in
    /// a standalone store. Saving the object then updates the members that clients see.
    func changeBase(of object: Pointer, by operations: FieldOperations) throws {
        for (field, change) in operations.relationChanges {
            for id in change.added {
                try db.run(
                    """
                    INSERT INTO relation_members (class, id, field, member_class, member_id, in_base, in_view)
                    VALUES (?, ?, ?, ?, ?, 1, 0) ON CONFLICT DO UPDATE SET in_base = 1
                    """, [object.className, object.objectId, field, change.memberClass, id])
            }
            for id in change.removed {
                try db.run(
                    """
                    UPDATE relation_members SET in_base = 0
                    WHERE class = ? AND id = ? AND field = ? AND member_class = ? AND member_id = ?
                    """, [object.className, object.objectId, field, change.memberClass, id])
            }
        }
    }

    /// Replaces the stored members of one relation by the members that the remote has shown. Saving the owner then
    /// updates the members that clients see.
    func setBase(_ members: BaseMembers) throws {
        let owner = members.owner
        let ids = JSONValue.array(members.memberIds.map(JSONValue.string)).jsonText
        let values: SQLiteBindings = [owner.className, owner.objectId, members.field, members.memberClass, ids]
        try db.run(
            """
            UPDATE relation_members SET in_base = 0 WHERE class = ? AND id = ? AND field = ? AND in_base
                AND NOT (member_class = ? AND member_id IN (SELECT value FROM json_each(?)))
            """, values)
        try db.run(
            """
            INSERT INTO relation_members (class, id, field, member_class, member_id, in_base, in_view)
            SELECT ?, ?, ?, ?, value, 1, 0 FROM json_each(?) WHERE true ON CONFLICT DO UPDATE SET in_base = 1
            """, values)
    }

    /// The ids of the members that `setBase` would add to a relation or remove from it.
    func difference(of list: BaseMembers) throws -> [String] {
        let stored = try db.texts(
            """
            SELECT member_id FROM relation_members WHERE class = ? AND id = ? AND field = ? AND member_class = ?
                AND in_base
            """, [list.owner.className, list.owner.objectId, list.field, list.memberClass])
        return Array(Set(stored).symmetricDifference(list.memberIds))
    }

    /// Whether clients see the member in the relation.
    func showsMember(_ member: Pointer, of owner: Pointer, _ field: String) throws -> Bool {
        try db.isTrue(
            """
            SELECT EXISTS (SELECT 1 FROM relation_members
                WHERE class = ? AND id = ? AND field = ? AND member_class = ? AND member_id = ? AND in_view)
            """, [owner.className, owner.objectId, field, member.className, member.objectId])
    }

    func exist(of owner: Pointer, _ field: String) throws -> Bool {
        try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM relation_members WHERE class = ? AND id = ? AND field = ?)",
            [owner.className, owner.objectId, field])
    }

    /// Whether the list lacks a stored member of the remote.
    func losesMembers(by list: BaseMembers) throws -> Bool {
        let ids = JSONValue.array(list.memberIds.map(JSONValue.string)).jsonText
        return try db.isTrue(
            """
            SELECT EXISTS (SELECT 1 FROM relation_members WHERE class = ? AND id = ? AND field = ? AND in_base
                AND NOT (member_class = ? AND member_id IN (SELECT value FROM json_each(?))))
            """, [list.owner.className, list.owner.objectId, list.field, list.memberClass, ids])
    }

    /// Operations that add all members of the object's relations that clients saw when the object was last saved.
    func addition(to object: ObjectLife) throws -> FieldOperations {
        let rows = try db.rows(
            """
            SELECT field, member_class, member_id FROM relation_members WHERE class = ? AND id = ? AND in_view
            ORDER BY field, member_class, member_id
            """, [object.className, object.objectId]
        ) { (field: $0.text(0), member: $0.pointer(1)) }
        var operations = FieldOperations()
        for (field, rows) in Dictionary(grouping: rows, by: { $0.field }).sorted(by: { $0.key < $1.key }) {
            guard case .relation(let memberClass)? = object.view?.fields[field].flatMap(FieldType.init) else {
                continue
            }
            let ids = rows.map { $0.member }.filter { $0.className == memberClass }.map(\.objectId)
            if !ids.isEmpty { operations[field] = .relation(RelationChange(memberClass: memberClass, added: ids)) }
        }
        return operations
    }

    /// Moves the relations of the object `oldId` to the object `newId`, which then has the remote's members of both.
    /// Saving the object then updates the members that clients see.
    func move(_ className: String, from oldId: String, to newId: String) throws {
        try db.run(
            """
            INSERT INTO relation_members (class, id, field, member_class, member_id, in_base, in_view)
            SELECT class, ?, field, member_class, member_id, in_base, in_view FROM relation_members
            WHERE class = ? AND id = ? ON CONFLICT DO UPDATE SET in_base = max(in_base, excluded.in_base)
            """, [newId, className, oldId])
        try db.run("DELETE FROM relation_members WHERE class = ? AND id = ?", [className, oldId])
        try db.run(
            "UPDATE OR REPLACE relation_pulls SET id = ? WHERE class = ? AND id = ?", [newId, className, oldId])
    }

    /// Drops the relations of a removed object. The member objects stay.
    func drop(_ className: String, _ objectId: String) throws {
        try db.run("DELETE FROM relation_members WHERE class = ? AND id = ?", [className, objectId])
        try db.run("DELETE FROM relation_pulls WHERE class = ? AND id = ?", [className, objectId])
    }
}
