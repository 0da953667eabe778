/// The table in which Parse Server stores the members of a relation: `_Join:players:Team` for the field `players` of the
/// class `Team`. A row has `owningId`, the id of the object with the relation, and `relatedId`, the id of a member.
package struct RelationJoin: Sendable, Hashable {
    package let field: String
    package let ownerClass: String

    package init(field: String, ownerClass: String) { (self.field, self.ownerClass) = (field, ownerClass) }

    /// - Returns: nil for a name of another form.
    package init?(_ name: String) {
        guard Self.isName(name) else { return nil }
        let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, !parts[1].isEmpty, ClassName.isValid(parts[2]) else { return nil }
        self.init(field: parts[1], ownerClass: parts[2])
    }

    /// Whether the name is that of a join table, by its beginning.
    package static func isName(_ name: String) -> Bool { name.hasPrefix("_Join:") }

    package var name: String { "_Join:\(field):\(ownerClass)" }
}
