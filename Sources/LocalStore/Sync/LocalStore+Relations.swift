import GRDB
import ParseModel
import RemoteService

/// Who belongs to the remote's relations. A row tells only that there is a relation; its members are read by
/// `$relatedTo`, and come in here.
extension LocalStore {
    /// Relations of the classes that are pulled whose members have to be read, by class and id of their owners.
    /// - Parameter before: server time. A relation that was read since then is not named, also where it will have to
    ///   be read once more: so a sync that asks again and again with the time of its beginning comes to an end.
    package func relationsToPull(limit: Int, before: ParseDate) async throws -> [RelationPull] {
        try readOnce { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT p.class, p.id, p.field, p.member_class FROM relation_pulls p
                    JOIN classes c ON c.name = p.class AND coalesce(json_extract(c.options, '$.relations'), 1)
                    WHERE EXISTS (SELECT 1 FROM pulls WHERE class = p.class)
                        AND (p.pulled_at IS NULL OR p.pulled_at < ?) ORDER BY p.class, p.id, p.field LIMIT ?
                    """, arguments: [before.milliseconds, limit]
            ).map {
                RelationPull(
                    owner: Pointer(className: $0[0], objectId: $0[1]), field: $0[2], memberClass: $0[3])
            }
        }
    }

    /// Takes in what was read. Pending work is replayed over it; where the members that local clients see change, the
    /// change feed tells of their owner. An owner that is gone meanwhile is passed over.
    /// - Parameters:
    ///   - serverTime: when it was read.
    ///   - overlap: a Parse Server stamps the row and writes the members afterwards. A relation whose row was younger
    ///     than this is read once more.
    package func setBaseMembers(
        _ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration
    ) async throws {
        try await write { transaction in
            for members in relations {
                try transaction.setBaseMembers(members)
                try transaction.noteRelationPull(members, at: serverTime, overlap: overlap)
            }
        }
    }

    package func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws {
        guard !relations.isEmpty else { return }
        try await write { transaction in
            for relation in relations {
                try transaction.execute(
                    "UPDATE relation_pulls SET pulled_at = ? WHERE class = ? AND id = ? AND field = ?",
                    [serverTime.milliseconds, relation.owner.className, relation.owner.objectId, relation.field])
            }
        }
    }
}

extension StoreTransaction {
    /// The members of a row's relations may be others now, and have to be read. An object that was made again under its id may
    /// lack relations that have members here.
    /// - Parameter isNew: the object was not here, and has no members therefore (10% of a first pull).
    func expectMembers(of record: RemoteRecord, isNew: Bool) throws {
        if !isNew {
            try execute(
                """
                INSERT INTO relation_pulls (class, id, field, member_class, updated_at)
                SELECT DISTINCT class, id, field, member_class, ? FROM relation_members
                WHERE class = ? AND id = ? AND in_base
                ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at, pulled_at = NULL
                """, [record.updatedAt.milliseconds, record.className, record.objectId])
        }
        for (field, value) in record.fields {
            guard case .relation(let memberClass) = FieldType(of: value) else { continue }
            try execute(
                """
                INSERT INTO relation_pulls (class, id, field, member_class, updated_at) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET member_class = excluded.member_class, updated_at = excluded.updated_at,
                    pulled_at = NULL
                """, [record.className, record.objectId, field, memberClass, record.updatedAt.milliseconds])
        }
    }

    fileprivate func setBaseMembers(_ members: BaseMembers) throws {
        let (className, objectId) = (members.owner.className, members.owner.objectId)
        guard var owner = try LocalObject(className, objectId, in: db), owner.base != nil else { return }
        let ids = JSONValue.array(members.memberIds.map(JSONValue.string)).jsonText
        try execute(
            """
            UPDATE relation_members SET in_base = 0 WHERE class = ? AND id = ? AND field = ? AND in_base
                AND NOT (member_class = ? AND member_id IN (SELECT value FROM json_each(?)))
            """, [className, objectId, members.field, members.memberClass, ids])
        try execute(
            """
            INSERT INTO relation_members (class, id, field, member_class, member_id, in_base, in_view)
            SELECT ?, ?, ?, ?, value, 1, 0 FROM json_each(?) WHERE true ON CONFLICT DO UPDATE SET in_base = 1
            """, [className, objectId, members.field, members.memberClass, ids])
        try owner.save(in: self)
    }

    fileprivate func noteRelationPull(
        _ members: BaseMembers, at serverTime: ParseDate, overlap: Duration
    ) throws {
        let key: SQLiteBindings = [members.owner.className, members.owner.objectId, members.field]
        try execute(
            "DELETE FROM relation_pulls WHERE class = ? AND id = ? AND field = ? AND updated_at < ?",
            key + [(serverTime - overlap).milliseconds])
        try execute(
            "UPDATE relation_pulls SET pulled_at = ? WHERE class = ? AND id = ? AND field = ?",
            [serverTime.milliseconds] + key)
    }
}
