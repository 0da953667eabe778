import GRDB
import ParseModel
import SyncModel

/// The table `relation_pulls`: the relations whose members one author still has to read from the remote. A pulled row
/// names its relations, but does not contain their members. A query with `$relatedTo` reads the members.
struct RelationPulls {
    let db: Database
    let author: AuthorKey

    /// The SQL, from `FROM` on, for the relations to read. ?1 is the key of the author. ?2 is a server time: relations that
    /// were read since then are left out.
    private static let waiting = """
        FROM relation_pulls p
        JOIN classes c ON c.name = p.class AND coalesce(json_extract(c.options, '$.relations'), 1)
        WHERE p.identity = ?1 AND EXISTS (SELECT 1 FROM pulls WHERE class = p.class AND identity = ?1)
            AND (p.pulled_at IS NULL OR p.pulled_at < ?2)
        """

    /// The numbers of relations to read, for each class, field and class of the members.
    /// - Parameter before: a server time. Relations that were read at or after this time are left out. A sync passes
    ///   its start time, so that it reads no relation twice.
    func columns(before: ParseDate) throws -> [WaitingRelations] {
        try db.rows(
            """
            SELECT p.class, p.field, p.member_class, count(*), min(p.updated_at) \(Self.waiting)
            GROUP BY p.class, p.field, p.member_class ORDER BY p.class, p.field, p.member_class
            """, [author.key, before.milliseconds]
        ) { row in
            WaitingRelations(
                column: RelationField(className: row.text(0), field: row.text(1), memberClass: row.text(2)),
                count: row.int(3), since: row.date(4))
        }
    }

    /// The relations to read, sorted by class and id of their owners.
    /// - Parameter column: the class, field and member class of the relations to return; nil for all relations.
    func next(of column: RelationField?, limit: Int, before: ParseDate) throws -> [RelationPull] {
        let condition = column == nil ? "" : "AND p.class = ? AND p.field = ? AND p.member_class = ?"
        let values: SQLiteBindings = column.map { [$0.className, $0.field, $0.memberClass] } ?? []
        return try db.rows(
            """
            SELECT p.class, p.id, p.field, p.member_class, p.updated_at \(Self.waiting) \(condition)
            ORDER BY p.class, p.id, p.field LIMIT ?
            """, [author.key, before.milliseconds] + values + [limit]
        ) { row in
            RelationPull(owner: row.pointer(0), field: row.text(2), memberClass: row.text(3), updatedAt: row.date(4))
        }
    }

    /// Records which relations to read after a row has changed: the relations that the row names, and those with stored
    /// members of the remote. An object that was created again can have a row without its relation fields.
    /// - Parameter isNew: whether the object was not stored before. No members of a new object are stored.
    func expect(from record: RemoteRecord, isNew: Bool) throws {
        if !isNew {
            try db.run(
                """
                INSERT INTO relation_pulls (class, id, field, identity, member_class, updated_at)
                SELECT DISTINCT class, id, field, ?, member_class, ? FROM relation_members
                WHERE class = ? AND id = ? AND in_base
                ON CONFLICT DO UPDATE SET updated_at = excluded.updated_at, pulled_at = NULL
                """, [author.key, record.updatedAt.milliseconds, record.className, record.objectId])
        }
        for (field, value) in record.fields {
            guard case .relation(let memberClass) = FieldType(of: value) else { continue }
            try db.run(
                """
                INSERT INTO relation_pulls (class, id, field, identity, member_class, updated_at)
                VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET member_class = excluded.member_class, updated_at = excluded.updated_at,
                    pulled_at = NULL
                """,
                [
                    record.className, record.objectId, field, author.key, memberClass,
                    record.updatedAt.milliseconds,
                ])
        }
    }

    /// Records that a relation was read. If the owner of the relation has just changed, a later sync reads the relation
    /// again, because Parse Server sets `updatedAt` before it writes the members.
    /// - Parameters:
    ///   - serverTime: the time of the read.
    ///   - overlap: an owner counts as just changed if its `updatedAt` is less than this duration before `serverTime`.
    func finish(_ members: BaseMembers, at serverTime: ParseDate, overlap: Duration) throws {
        let key = key(members.owner, members.field)
        try db.run(
            "DELETE FROM relation_pulls WHERE class = ? AND id = ? AND field = ? AND identity = ? AND updated_at < ?",
            key + [(serverTime - overlap).milliseconds])
        try setPulled(key, at: serverTime)
    }

    /// Records a failed read of a relation. A later sync reads the relation again.
    /// - Parameter serverTime: the time of the failed read.
    func postpone(_ relation: RelationPull, at serverTime: ParseDate) throws {
        try setPulled(key(relation.owner, relation.field), at: serverTime)
    }

    private func key(_ owner: Pointer, _ field: String) -> SQLiteBindings {
        [owner.className, owner.objectId, field, author.key]
    }

    private func setPulled(_ key: SQLiteBindings, at serverTime: ParseDate) throws {
        try db.run(
            "UPDATE relation_pulls SET pulled_at = ? WHERE class = ? AND id = ? AND field = ? AND identity = ?",
            [serverTime.milliseconds] + key)
    }
}
