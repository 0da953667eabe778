import GRDB
import ParseModel
import StoreService
import SyncModel

/// Selects stored objects and fields that a sync reads again, to find out whether the remote still shows them.
struct WatchedObjects {
    let db: Database

    /// A condition for objects that the remote has shown and that are visible to clients.
    private static let isShown = "base_kind > 0 AND base_standing = 0 AND NOT withheld"
    /// The number of rows with sampled fields among the newest rows, and among the oldest rows, by `updatedAt`.
    private static let rowsMax = 200
    /// The number of further rows whose fields are sampled, in the order of their ids. The next call continues after
    /// the last of these rows, so that all rows are sampled in turn.
    private static let nextRowsMax = 2000
    /// For one ACL, the maximum number of objects that are examined to find an object of the given classes.
    private static let sameACLMax = 500
    /// The maximum number of canaries (objects to read again) is multiplied by this factor for a class whose fields are
    /// spread over many rows.
    private static let coverFactor = 4
    /// The maximum length of a sampled row, in characters.
    private static let rowLengthMax = 65_536
    /// The maximum length, in characters, of an additional row, which is not needed to cover a field.
    private static let smallLengthMax = 4096

    func scrub(
        of className: String, after last: String?, in syncs: Int, bounds: ClosedRange<Int>
    ) throws -> (ids: [String], last: String?) {
        let count = try db.count("SELECT coalesce(sum(bases), 0) FROM class_counts WHERE class = ?", [className])
        let size = min(max(count / syncs + 1, bounds.lowerBound), bounds.upperBound)
        let find = "SELECT id FROM objects WHERE class = ? AND id > ? AND \(Self.isShown) ORDER BY id LIMIT ?"
        let ids = try db.texts(find, [className, last ?? "", size])
        if ids.count == size { return (ids, ids.last) }
        // Continues at the first id of the class, up to the id after which this call has begun.
        var first: [String] = []
        if let last {
            first = try db.texts(find, [className, "", size - ids.count]).filter { id in
                id == last || id.utf8.lexicographicallyPrecedes(last.utf8)
            }
        }
        let all = ids + first
        return (all, all.count == size ? all.last : nil)
    }

    func representatives(
        after last: Int64, of reader: String, max: Int, in classNames: [String]
    ) throws -> [WatchedACL] {
        // Few ACLs have no object, so each subquery ends quickly. It stops after `sameACLMax` objects of other classes.
        let find = """
            SELECT a.number, (SELECT s.pk FROM (
                    SELECT o.pk, o.class FROM objects o INDEXED BY objects_by_acl
                    WHERE o.acl = a.number AND o.acl > 0 AND \(Self.isShown) LIMIT \(Self.sameACLMax)) s
                WHERE s.class IN (SELECT value FROM json_each(?4)) LIMIT 1)
            FROM acls a WHERE \(Self.isOfRoles) AND a.number > ?2 AND a.number <= ?3 ORDER BY a.number
            """
        let names = JSONValue.array(classNames.map(JSONValue.string)).jsonText
        var found: [WatchedACL] = []
        for (from, to) in [(last, Int64.max), (0, last)] {
            found += try db.rows(find, [reader, from, to, names], max: max - found.count) { row in
                guard let key = row.integerIfAny(1), let object = try object(key) else { return nil }
                return WatchedACL(number: row.integer(0), object: object)
            }
        }
        return found
    }

    /// The SQL condition for an ACL `a` that the user ?1 can read only by a role: it has readers, but neither everybody
    /// nor the user.
    private static let isOfRoles = """
        EXISTS (SELECT 1 FROM acl_readers r WHERE r.acl = a.number)
        AND NOT EXISTS (SELECT 1 FROM acl_readers r WHERE r.acl = a.number AND r.entity = ?1)
        """

    private func object(_ key: Int64) throws -> Pointer? {
        try db.firstRow("SELECT class, id FROM objects WHERE pk = ?", [key]) { $0.pointer(0) }
    }

    func objects(ofACL number: Int64, max: Int) throws -> [Pointer] {
        try db.rows(
            """
            SELECT class, id FROM objects INDEXED BY objects_by_acl WHERE acl = ? AND acl > 0 AND \(Self.isShown)
            ORDER BY pk DESC LIMIT ?
            """, [number, max]
        ) { $0.pointer(0) }
    }

    // MARK: Fields

    /// Chooses rows that together show all fields of the class, by a greedy cover: each step chooses the sampled row
    /// with the most fields that no chosen row has.
    ///
    /// A second pass treats a field as different if it occurs in rows that name the user in different fields, because
    /// permissions can protect a field from all users except those to whom the row points (`userField:`). A third pass
    /// treats a field as different if it occurs in rows with different ACLs. Small rows are then added up to the
    /// desired number, because a new field can appear in any row.
    /// - Parameters:
    ///   - reader: the id of the user who reads the remote; nil for none.
    ///   - max: the desired number of rows. If the fields need more rows, up to `coverFactor` times as many are chosen,
    ///     and a quarter of `max` in addition.
    func fieldCanaries(
        of className: String, after place: CanaryPlace, reader: String?, max: Int
    ) throws -> CanaryPlace {
        let before = JSONValue.array(place.chosen.map(JSONValue.string)).jsonText
        let samples = { try self.samples(of: className, reader, $0, $1) }
        let next = try samples("id > ? ORDER BY id LIMIT \(Self.nextRowsMax)", place.sampled ?? "")
        let all =
            try samples("id IN (SELECT value FROM json_each(?))", before)
            + samples("? = '' ORDER BY updated_at DESC LIMIT \(Self.rowsMax)", "")
            + samples("? = '' ORDER BY updated_at ASC LIMIT \(Self.rowsMax)", "") + next
        // The remote probably lacks the objects of held removals, which wait for a decision.
        let held = try RemovalTable(db: db).heldIds(among: all.map(\.id), in: className)
        let shown = all.filter { !held.contains($0.id) }
        var chosen: [Sample] = []
        let coverMax = max * Self.coverFactor
        for (facts, max) in [(\Sample.fields, coverMax), (\Sample.fieldsOfUser, coverMax), (\Sample.fieldsOfACL, max)] {
            var known = chosen.reduce(into: Set<String>()) { $0.formUnion($1[keyPath: facts]) }
            while chosen.count < max, let best = Self.best(shown, facts, besides: known) {
                known.formUnion(best[keyPath: facts])
                chosen.append(best)
            }
        }
        let covering = Set(chosen.map(\.id))
        let othersMax = Swift.max(max - covering.count, max / 4)
        let others = try smallRows(of: className, after: place.others, besides: covering, max: othersMax)
        return CanaryPlace(
            chosen: covering.union(others).sorted(), others: others.last ?? place.others,
            sampled: next.count < Self.nextRowsMax ? nil : next.last?.id)
    }

    /// The sampled rows that meet a condition.
    /// - Parameter condition: an SQL condition with one parameter, which can be followed by an order and a limit.
    private func samples(
        of className: String, _ reader: String?, _ condition: String, _ value: String
    ) throws -> [Sample] {
        try db.rows(
            """
            SELECT id, acl, (SELECT json_group_array(f.key) FROM json_each(coalesce(o.base, o.view)) f
                WHERE f.type <> 'null'),
                CASE WHEN instr(coalesce(o.base, o.view), ?1) > 0 THEN
                    (SELECT json_group_array(f.key) FROM json_each(coalesce(o.base, o.view)) f
                    WHERE f.type IN ('object', 'array') AND f.key <> 'ACL' AND instr(f.value, ?1) > 0)
                ELSE '[]' END
            FROM objects o WHERE class = ?2 AND +\(Self.isShown)
                AND length(coalesce(o.base, o.view)) <= \(Self.rowLengthMax) AND json_valid(coalesce(o.base, o.view))
                AND \(condition)
            """, [reader.map { "\"\($0)\"" }, className, value]
        ) {
            Sample(id: $0.text(0), acl: $0.integer(1), fields: try $0.textsOfJSON(2), naming: try $0.textsOfJSON(3))
        }
    }

    /// Small rows in the order of their ids, beginning after the id `last`. After the last id of the class, continues
    /// at the first id.
    private func smallRows(
        of className: String, after last: String?, besides chosen: Set<String>, max: Int
    ) throws -> [String] {
        guard max > 0 else { return [] }
        let find = """
            SELECT id FROM objects WHERE class = ? AND id > ? AND +\(Self.isShown)
                AND length(coalesce(base, view)) <= \(Self.smallLengthMax) ORDER BY id LIMIT ?
            """
        var found: [String] = []
        for start in [last ?? "", ""] {
            let ids = try db.texts(find, [className, start, max + chosen.count])
            let held = try RemovalTable(db: db).heldIds(among: ids, in: className)
            found += ids.filter { !chosen.contains($0) && !found.contains($0) && !held.contains($0) }
        }
        return Array(found.prefix(max))
    }

    private struct Sample {
        let id: String
        let fields: Set<String>
        /// The fields of the row. Each is combined with the names of those fields of the row that point to the user.
        let fieldsOfUser: Set<String>
        /// The fields of the row. Each is combined with the number of the row's ACL.
        let fieldsOfACL: Set<String>

        /// - Parameter naming: the names of the row's fields whose value names the user.
        init(id: String, acl: Int64, fields: [String], naming: [String]) {
            (self.id, self.fields) = (id, Set(fields))
            let names = naming.sorted().joined(separator: " ")
            fieldsOfUser = Set(fields.map { "\($0) \(names)" })
            fieldsOfACL = Set(fields.map { "\($0) \(acl)" })
        }
    }

    /// The first sample with the largest number of facts that are not in `known`; nil if all facts of the samples are
    /// known.
    private static func best(
        _ samples: [Sample], _ facts: KeyPath<Sample, Set<String>>, besides known: Set<String>
    ) -> Sample? {
        var (best, bestCount): (Sample?, Int) = (nil, 0)
        for sample in samples {
            let count = sample[keyPath: facts].subtracting(known).count
            if count > bestCount { (best, bestCount) = (sample, count) }
        }
        return best
    }

    /// - Returns: nil for a missing object, and for a damaged object, because an audit fetches it again anyway.
    private func life(_ className: String, _ objectId: String) throws -> ObjectLife? {
        do { return try LocalObject(className, objectId, in: db)?.life } catch StoreError.damaged { return nil }
    }

    func fieldDifferences(in records: [RemoteRecord]) throws -> (lost: [String], new: [String]) {
        var (lost, new): (Set<String>, Set<String>) = ([], [])
        for (className, records) in Dictionary(grouping: records, by: \.className) {
            let kept = try KeptFields(of: className, in: db)
            for record in records {
                guard let life = try life(className, record.objectId), let base = life.base,
                    !life.baseIsProvisional, base.updatedAt == record.updatedAt
                else { continue }
                let row = try kept.merged(record, from: nil)
                for (field, value) in base.fields where !value.isNull && row.fields[field] == nil { lost.insert(field) }
                for (field, value) in row.fields where !value.isNull && base.fields[field] == nil { new.insert(field) }
            }
        }
        return (lost.sorted(), new.sorted())
    }

    // MARK: Roles

    func lostByRole(
        _ missing: [String], of className: String, still roles: Set<String>, reader: String
    ) throws -> Set<String> {
        let still = JSONValue.array(roles.sorted().map { .string(AccessEntity.ofRole($0)) }).jsonText
        let asked = JSONValue.array(missing.map(JSONValue.string)).jsonText
        return Set(
            try db.texts(
                """
                WITH gone AS (
                    SELECT o.id, o.acl FROM json_each(?3) m CROSS JOIN objects o
                    ON o.class = ?4 AND o.id = m.value AND o.acl > 0)
                SELECT g.id FROM gone g JOIN acls a ON a.number = g.acl WHERE \(Self.isOfRoles)
                    AND NOT EXISTS (SELECT 1 FROM acl_readers r WHERE r.acl = a.number
                        AND r.entity IN (SELECT value FROM json_each(?2)))
                    AND NOT EXISTS (SELECT 1 FROM objects o WHERE o.acl = g.acl AND o.acl > 0 AND o.class = ?4
                        AND \(Self.isShown) AND o.id NOT IN (SELECT id FROM gone))
                """, [reader, still, asked, className]))
    }
}

extension WatchState {
    /// The key in `meta` under which the state of the watch is stored.
    private static let key = "watch"

    init(in db: Database) throws {
        self.init()
        guard let text = try Meta.value(of: Self.key, in: db), let json = try JSONReader.read(text).object else {
            return
        }
        roles = json["roles"]?.object.map(Self.texts)
        scrubbedTo = json["scrubbedTo"]?.object.map(Self.texts) ?? [:]
        for (name, number) in json["lastACLs"]?.object ?? [:] {
            if let part = Part(rawValue: name) { lastACLs[part] = number.int.map(Int64.init) }
        }
    }

    private static func texts(_ object: JSONObject) -> [String: String] {
        Dictionary(object.compactMap { name, value in value.string.map { (name, $0) } }, uniquingKeysWith: { $1 })
    }

    func save(in db: Database) throws {
        let object = { (texts: [String: String]) in
            JSONValue.object(JSONObject(texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
        let places = lastACLs.map { ($0.key.rawValue, JSONValue.int(Int($0.value))) }.sorted { $0.0 < $1.0 }
        var json: JSONObject = ["scrubbedTo": object(scrubbedTo), "lastACLs": .object(JSONObject(places))]
        json["roles"] = roles.map(object)
        try Meta.set(Self.key, json.jsonText, in: db)
    }
}
