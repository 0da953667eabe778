import GRDB
import ParseModel
import StoreService

/// The change feed for a reader with restricted rights. An object that the reader may read only after a change appears as
/// created. An object that the reader may read only before the change appears as deleted. Other entries of objects that the
/// reader may not read are left out.
struct RestrictedFeed {
    let db: Database
    let principal: Principal
    let access: StoreAccess
    /// The right that the reader needs: to list objects, or to read them by id.
    var reading = AccessRules.Operation.list

    /// The maximum number of entries that one page examines.
    private static let examinedMax = 5000

    /// An entry, with the stored rights that decide which readers see it.
    private struct Entry {
        let number: Int64
        let object: Pointer
        let kind: ChangeEntry.Kind
        let rights: EntryRights
    }

    /// - Parameter newest: the number of the newest entry of the feed.
    /// - Throws: `StoreError.feedTrimmed` if a change of rights has made the position `since` invalid.
    func page(since: Int64, _ filter: FeedFilter, limit: Int, newest: Int64) throws -> ChangePage {
        let timeline = try RightsTimeline(
            of: principal, since: since, newest: newest, from: access.permissions(in: db))
        var entries: [ChangeEntry] = []
        let read = try examined(since: since, filter, max: max(Self.examinedMax, limit))
        for entry in read {
            guard let seen = try seen(entry, timeline, filter.kinds) else { continue }
            entries.append(seen)
            if entries.count == limit { return ChangePage(entries: entries, next: entry.number) }
        }
        return ChangePage(
            entries: entries, next: read.count < max(Self.examinedMax, limit) ? newest : read.last?.number ?? since)
    }

    /// Reads entries of all kinds, because the kind that a reader sees depends on the reader's rights.
    private func examined(since: Int64, _ filter: FeedFilter, max: Int) throws -> [Entry] {
        try db.rows(
            """
            SELECT number, class, id, kind, acl_before, acl_after, pointers_before, pointers_after, rights_change FROM changes
            WHERE number > ? AND kind <> '\(ChangeFeed.markKind)' \(filter.condition(onClass: "class")) ORDER BY number LIMIT ?
            """, [since] + filter.classValues + [max]
        ) { row in
            Entry(
                number: row.integer(0), object: row.pointer(1),
                kind: try .stored(row.text(3), as: "the kind of a change"),
                rights: EntryRights(
                    aclBefore: row.integer(4), aclAfter: row.integer(5), pointersBefore: row.textIfAny(6),
                    pointersAfter: row.textIfAny(7), change: row.integerIfAny(8)))
        }
    }

    /// The entry as the reader sees it; nil if the reader may not see it, or has not asked for its kind.
    private func seen(
        _ entry: Entry, _ timeline: RightsTimeline, _ kinds: Set<ChangeEntry.Kind>?
    ) throws -> ChangeEntry? {
        let kind: ChangeEntry.Kind
        switch try readability(entry.object.className, entry.number, entry.kind, entry.rights, timeline) {
        case (false, false): return nil
        case (true, true):
            // The reader could read the object before and after. A change of rights does not change the object, so it
            // gives no entry.
            guard entry.rights.change == nil else { return nil }
            kind = .update
        case (false, true): kind = .create
        case (true, false): kind = .delete
        }
        guard kinds?.contains(kind) != false else { return nil }
        let object = kind == .delete ? nil : try present(entry.object, timeline)
        return ChangeEntry(
            number: entry.number, className: entry.object.className, objectId: entry.object.objectId, kind: kind,
            json: object?.jsonText, state: object?.state ?? .synced, contentMark: object?.contentMark ?? .none)
    }

    /// Whether the reader could read the object of an entry before the change, and could read it right after the change.
    func readability(
        _ className: String, _ number: Int64, _ kind: ChangeEntry.Kind, _ rights: EntryRights,
        _ timeline: RightsTimeline
    ) throws -> (before: Bool, after: Bool) {
        let after = try timeline.rules(of: className, at: number)
        let before = try rights.change.map { try timeline.rules(of: className, at: $0, isBefore: true) } ?? after
        return (
            try kind != .create && isReadable(rights.aclBefore, rights.pointersBefore, before),
            try kind != .delete && isReadable(rights.aclAfter, rights.pointersAfter, after)
        )
    }

    /// Whether the reader may read an object with this ACL and these pointers.
    func isReadable(_ acl: Int64, _ pointers: String?, _ rules: AccessRules) throws -> Bool {
        switch rules.verdict(on: reading) {
        case .allowed: break
        case .refused: return false
        case .limited(let limit):
            let fields = try pointers.flatMap { try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object }
            guard limit.holdsForPointers(fields ?? [:], of: rules.className) else { return false }
        }
        return try acl <= 0 || access.acls.allowsReading(acl, by: rules.principal) { try ACLTable(db: db).acl(acl) }
    }

    /// The object as it is now; nil if it is gone, or if the reader may no longer read it.
    private func present(_ pointer: Pointer, _ timeline: RightsTimeline) throws -> StoredObject? {
        let rules = try timeline.presentRules(of: pointer.className)
        guard let found = try StoredObject.row(pointer.className, pointer.objectId, in: db) else { return nil }
        let pointers = AccessRules.pointersOfReads(rules.rights)
        guard try isReadable(found.acl, EntryRights.pointers(pointers, in: found.object.jsonText), rules) else {
            return nil
        }
        return try found.object.shown(by: rules)
    }
}
