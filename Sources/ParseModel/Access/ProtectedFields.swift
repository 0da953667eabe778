/// The fields of a class that are hidden from callers (`protectedFields` of the class permissions), by the rules of Parse Server's
/// `addProtectedFields` and `filterSensitiveData`.
///
/// Each set of fields belongs to an entity: `*`, `authenticated`, a user's id, a role, or `userField:NAME`, which
/// stands for the user to whom the field `NAME` of the object points. A field is hidden from a caller if it is in the
/// sets of all entities as which the caller acts.
struct ProtectedFields: Sendable, Hashable {
    /// The sets of fields that do not depend on an object, by entity.
    private let sets: [(entity: String, fields: [String])]
    /// The sets of fields for the user to whom a field of the object points (`userField:NAME`), by the name of this
    /// field.
    private let setsOfRows: [(field: String, fields: [String])]
    private let isOfUsers: Bool

    private static let rowPrefix = "userField:"
    /// The default of Parse Server's option `protectedFields`.
    private static let defaults: [String: [(entity: String, fields: [String])]] = ["_User": [("*", ["email"])]]

    /// - Parameter permissions: the member `protectedFields` of the class permissions.
    init(of className: String, _ permissions: JSONObject) {
        var permissions = permissions
        for (entity, fields) in Self.defaults[className] ?? [] {
            let named = Self.names(permissions[entity])
            permissions[entity] = .array((named + fields.filter { !named.contains($0) }).map(JSONValue.string))
        }
        var sets: [(entity: String, fields: [String])] = []
        var setsOfRows: [(field: String, fields: [String])] = []
        for (entity, value) in permissions {
            if entity.utf8.starts(with: Self.rowPrefix.utf8) {
                setsOfRows.append((String(entity.dropFirst(Self.rowPrefix.count)), Self.names(value)))
            } else {
                sets.append((entity, Self.names(value)))
            }
        }
        (self.sets, self.setsOfRows) = (sets, setsOfRows)
        isOfUsers = className == "_User"
    }

    /// The fields that the principal may neither query nor sort by. They are hidden in each object, unless the object
    /// points to the principal and thereby shows more.
    func hidden(from principal: Principal) -> [String] {
        guard !principal.readsEverything else { return [] }
        // Permissions cannot show the sign-in data of other users.
        return common(to: principal) + (isOfUsers ? ["authData"] : [])
    }

    /// The fields of an object that are hidden.
    /// - Parameter object: reads the whole object. It is called only if the answer depends on the object's fields.
    func hidden(
        from principal: Principal, in objectId: String, _ object: () throws -> JSONObject
    ) rethrows -> [String] {
        guard !principal.readsEverything else { return [] }
        if isOfUsers, let user = principal.user, user.objectId.isExactly(objectId) { return [] }
        var hidden = common(to: principal)
        if let user = principal.userPointer, !hidden.isEmpty, !setsOfRows.isEmpty {
            let object = try object()
            for (field, fields) in setsOfRows where Self.points(object[field], to: user) {
                hidden = hidden.filter(fields.contains)
            }
        }
        return hidden + (isOfUsers ? ["authData"] : [])
    }

    /// The fields that are in all sets of the principal that do not depend on an object. Empty if no set belongs to the
    /// principal.
    private func common(to principal: Principal) -> [String] {
        let applying = sets.filter { set in
            set.entity == "authenticated" ? principal.user != nil : principal.acts(as: set.entity)
        }.map(\.fields)
        guard let first = applying.first else { return [] }
        return first.filter { field in applying.allSatisfy { $0.contains(field) } }
    }

    /// Whether a field's value is a pointer to the user, or an array with such a pointer.
    private static func points(_ value: JSONValue?, to user: Pointer) -> Bool {
        switch value {
        case .array(let elements)?:
            elements.contains { $0.object?["objectId"]?.string?.isExactly(user.objectId) == true }
        case let value?: value.object?["objectId"]?.string?.isExactly(user.objectId) == true
        case nil: false
        }
    }

    private static func names(_ value: JSONValue?) -> [String] { value?.array?.compactMap(\.string) ?? [] }

    static func == (a: Self, b: Self) -> Bool {
        a.isOfUsers == b.isOfUsers && a.sets.elementsEqual(b.sets) { $0 == $1 }
            && a.setsOfRows.elementsEqual(b.setsOfRows) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(sets.map(\.entity))
        hasher.combine(setsOfRows.map(\.field))
    }
}
