import GRDB
import ParseModel
import SyncModel

/// Who belongs to the remote's relations. A row tells only that there is a relation; its members are read by
/// `$relatedTo`, and come in here.
extension LocalStore {
    /// Relations of the classes that are pulled whose members have to be read.
    private static let waiting = """
        FROM relation_pulls p
        JOIN classes c ON c.name = p.class AND coalesce(json_extract(c.options, '$.relations'), 1)
        WHERE EXISTS (SELECT 1 FROM pulls WHERE class = p.class) AND (p.pulled_at IS NULL OR p.pulled_at < ?)
        """

    /// - Parameter before: server time. A relation that was read since then is not counted, also where it will have to
    ///   be read once more: so a sync that asks again and again with the time of its beginning comes to an end.
    package func waitingRelations(before: ParseDate) async throws -> [WaitingRelations] {
        try await readOnce { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT p.class, p.field, p.member_class, count(*), min(p.updated_at) \(Self.waiting)
                    GROUP BY p.class, p.field, p.member_class ORDER BY p.class, p.field, p.member_class
                    """, arguments: [before.milliseconds]
            ).map {
                WaitingRelations(
                    column: RelationField(className: $0[0], field: $0[1], memberClass: $0[2]), count: $0[3],
                    since: ParseDate(milliseconds: $0[4]))
            }
        }
    }

    /// Such relations, by class and id of their owners.
    /// - Parameter column: nil for those of all columns.
    package func relationsToPull(
        of column: RelationField? = nil, limit: Int, before: ParseDate
    ) async throws -> [RelationPull] {
        var (condition, arguments): (String, StatementArguments) = ("", [before.milliseconds])
        if let column {
            condition = "AND p.class = ? AND p.field = ? AND p.member_class = ?"
            arguments += [column.className, column.field, column.memberClass]
        }
        arguments += [limit]
        return try await readOnce { [condition, arguments] db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT p.class, p.id, p.field, p.member_class, p.updated_at \(Self.waiting) \(condition)
                    ORDER BY p.class, p.id, p.field LIMIT ?
                    """, arguments: arguments
            ).map {
                RelationPull(
                    owner: Pointer(className: $0[0], objectId: $0[1]), field: $0[2], memberClass: $0[3],
                    updatedAt: ParseDate(milliseconds: $0[4]))
            }
        }
    }

    /// Owners that would lose a member of their base by these lists.
    package func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer> {
        try await readOnce { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM relation_members WHERE class = ? AND id = ? AND field = ? AND in_base
                        AND NOT (member_class = ? AND member_id IN (SELECT value FROM json_each(?))))
                    """)
            return Set(
                try lists.filter { list in
                    let ids = JSONValue.array(list.memberIds.map(JSONValue.string)).jsonText
                    let (className, objectId) = (list.owner.className, list.owner.objectId)
                    return try Bool.fetchOne(
                        statement, arguments: [className, objectId, list.field, list.memberClass, ids]) == true
                }.map(\.owner))
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
        // Most objects of many have no members, here nor there.
        if members.memberIds.isEmpty, try !hasMembers(className, objectId, members.field) { return }
        guard var owner = try LocalObject(className, objectId, in: db), owner.life.base != nil else { return }
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

    private func hasMembers(_ className: String, _ objectId: String, _ field: String) throws -> Bool {
        try db.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM relation_members WHERE class = ? AND id = ? AND field = ?)"
        ).firstRow([className, objectId, field]) { $0.bool(0) } ?? false
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
