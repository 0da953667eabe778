import GRDB
import ParseModel

/// Records changes of rights in the change feed, with an entry for each object that readers may have gained or lost. If
/// more than `objectsMax` objects are affected, there are no such entries. Instead, readers whose rights have changed
/// must read the feed from its start.
struct RightsChanges {
    let db: Database
    /// The time of the change.
    let now: ParseDate
    let access: StoreAccess

    private var feed: ChangeFeed { ChangeFeed(db: db) }
    /// The maximum number of objects that get an entry for one change of rights.
    private static let objectsMax = 1000

    /// An object that readers may gain or lose by a change of rights.
    private struct Concerned {
        let object: Pointer
        let acl: Int64
        let view: String
    }

    // MARK: Permissions of classes

    /// Records that the permissions of a class have changed. Only the rights to list objects and to read them by id affect the feed.
    func record(of className: String, from before: JSONObject?, to after: JSONObject?) throws {
        let rights = [before, after].map { ClassRights(className, permissions: $0) }
        guard access.isEnforced, !rights[0].givesSameReads(as: rights[1]) else { return }
        let concerned = try objects("class = ? AND view IS NOT NULL", [className], max: Self.objectsMax + 1)
        let number = try begin(className, permissions: before, roles: nil, ends: concerned.count > Self.objectsMax)
        guard concerned.count <= Self.objectsMax else { return }
        try append(concerned, number, pointers: rights.flatMap(AccessRules.pointersOfReads))
    }

    // MARK: Roles of users

    /// Records that the roles of users have changed.
    /// - Parameter before: for each user whose roles have changed, the roles before; nil if there are too many users.
    /// - Parameter roles: the roles that any of these users has gained or lost.
    func record(rolesBefore before: [String: Set<String>]?, changed roles: Set<String>) throws {
        guard let before else {
            _ = try begin(nil, permissions: nil, roles: nil, ends: true)
            return
        }
        var concerned = try objectsReadable(byRoles: roles)
        for (className, permissions) in try PermissionTable(db: db).all()
        where ClassRights(className, permissions: permissions).readsDepend(on: roles) {
            concerned += try objects(
                "class = ? AND view IS NOT NULL", [className], max: Self.objectsMax + 1 - concerned.count)
        }
        let json = JSONObject(
            before.sorted { $0.key < $1.key }.map { user, roles in
                (user, .array(roles.sorted().map(JSONValue.string)))
            })
        let number = try begin(nil, permissions: nil, roles: json, ends: concerned.count > Self.objectsMax)
        guard concerned.count <= Self.objectsMax else { return }
        var seen: Set<Pointer> = []
        for (className, objects) in Dictionary(grouping: concerned, by: \.object.className).sorted(by: {
            $0.key < $1.key
        }) {
            let rights = try access.rights.rights(
                of: className, from: access.permissions(in: db))
            try append(
                objects.filter { seen.insert($0.object).inserted }, number,
                pointers: AccessRules.pointersOfReads(rights))
        }
    }

    private func objectsReadable(byRoles roles: Set<String>) throws -> [Concerned] {
        let entities = JSONValue.array(roles.sorted().map { .string(AccessEntity.ofRole($0)) }).jsonText
        return try objects(
            """
            acl > 0 AND view IS NOT NULL
            AND acl IN (SELECT acl FROM acl_readers WHERE entity IN (SELECT value FROM json_each(?)))
            """, [entities], max: Self.objectsMax + 1)
    }

    // MARK: Entries

    private func objects(_ condition: String, _ values: SQLiteBindings, max: Int) throws -> [Concerned] {
        try db.rows("SELECT class, id, acl, view FROM objects WHERE \(condition) LIMIT ?", values + [Swift.max(0, max)])
        {
            Concerned(object: $0.pointer(0), acl: $0.integer(2), view: $0.text(3))
        }
    }

    /// Stores a change of rights under the next number of the feed, with the rights before the change.
    /// - Parameter ends: whether readers whose rights have changed must read the feed from its start.
    /// - Returns: the number of the change.
    private func begin(
        _ className: String?, permissions: JSONObject?, roles: JSONObject?, ends: Bool
    ) throws -> Int64 {
        let number = try feed.mark(now: now)
        try db.run(
            """
            INSERT INTO rights_changes (number, class, permissions, roles, ends_positions, last)
            VALUES (?1, ?2, ?3, ?4, ?5, ?1)
            """, [number, className, permissions?.jsonText, roles?.jsonText, ends])
        return number
    }

    private func append(_ objects: [Concerned], _ number: Int64, pointers: [String]) throws {
        for concerned in objects {
            let pointers = EntryRights.pointers(pointers, in: concerned.view)
            try feed.append(
                concerned.object.className, concerned.object.objectId, .update, now: now,
                EntryRights(acl: concerned.acl, pointers: pointers, change: number), before: nil)
            try db.run("UPDATE rights_changes SET last = ? WHERE number = ?", [db.lastInsertedRowID, number])
        }
    }
}
