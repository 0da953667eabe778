/// The access control list of an object (its field `ACL`): which entities may read and which may write the object.
///
/// An entity is a key of the ACL, such as a user's id or a role (`AccessEntity`). Entities are compared by their bytes,
/// as in SQLite.
package struct AccessControlList: Sendable, Hashable {
    /// The entities that may read, sorted by their bytes.
    package let readers: [String]
    /// The entities that may write, sorted by their bytes.
    package let writers: [String]

    /// An ACL without entries: only the master key may read and write the object.
    package static let ofNobody = Self(readers: [], writers: [])

    /// - Parameters:
    ///   - readers: different entities, in any order.
    ///   - writers: different entities, in any order.
    package init(readers: [String], writers: [String]) {
        let sorted = { (entities: [String]) in entities.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
        (self.readers, self.writers) = (sorted(readers), sorted(writers))
    }

    /// Reads the value of the field `ACL` as Parse Server's `transformObjectACL` does. Any value that is not an object
    /// is an ACL without entries, unless it is false in JavaScript.
    /// - Returns: nil for an absent ACL, and for a value that is false in JavaScript. Everybody may then read and write
    ///   the object.
    package init?(_ value: JSONValue?) {
        guard let value, value.isTruthy else { return nil }
        let entries = value.object ?? [:]
        let allowed = { (right: String) in
            entries.filter { $0.value.object?[right]?.isTruthy == true }.map(\.key)
        }
        self.init(readers: allowed(Self.readRight), writers: allowed(Self.writeRight))
    }

    /// The value of the field `ACL` in the form in which Parse Server stores and returns it: an entry for each entity
    /// with a right, in which `read` and `write` are true or absent. SDKs refuse any other form. A value that is not an
    /// object has no entries.
    /// - Returns: nil for a value that is false in JavaScript, because such a value is no ACL.
    package static func canonical(_ value: JSONValue) -> JSONValue? {
        guard value.isTruthy else { return nil }
        guard let entries = value.object else { return [:] }
        if entries.allSatisfy({ isCanonical($0.value) }) { return value }
        var kept = JSONObject()
        for (entity, rights) in entries {
            var given = JSONObject()
            for right in [readRight, writeRight] where rights.object?[right]?.isTruthy == true { given[right] = true }
            if !given.isEmpty { kept[entity] = .object(given) }
        }
        return .object(kept)
    }

    private static func isCanonical(_ rights: JSONValue) -> Bool {
        guard let rights = rights.object, !rights.isEmpty else { return false }
        return rights.allSatisfy { ($0.key == readRight || $0.key == writeRight) && $0.value == true }
    }

    private static let readRight = "read"
    private static let writeRight = "write"

    /// Whether everybody may read the object.
    package var isPublic: Bool { readers.contains(AccessEntity.everybody) }

    package func allowsReading(by principal: Principal) -> Bool {
        principal.readsEverything || readers.contains(where: principal.acts)
    }

    package func allowsWriting(by principal: Principal) -> Bool {
        principal.writesEverything || writers.contains(where: principal.acts)
    }

    /// Whether the principal may write the object if it has each role that the ACL names. Used where the roles of the
    /// principal are unknown.
    package func mayAllowWriting(by principal: Principal) -> Bool {
        allowsWriting(by: principal) || writers.contains { AccessEntity.role($0) != nil }
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.readers.elementsEqual(b.readers) { $0.isExactly($1) }
            && a.writers.elementsEqual(b.writers) { $0.isExactly($1) }
    }
}
