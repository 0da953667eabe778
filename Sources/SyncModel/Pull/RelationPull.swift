import ParseModel

/// A field of a class that holds relations, also called a column. Each object of the class has its own relation in the
/// field.
package struct RelationField: Sendable, Hashable {
    package let className: String
    package let field: String
    package let memberClass: String

    package init(className: String, field: String, memberClass: String) {
        self.className = className
        self.field = field
        self.memberClass = memberClass
    }
}

/// A relation whose members must be read from the remote, because the row of the object with the relation (the owner)
/// changed.
package struct RelationPull: Sendable, Hashable {
    package let owner: Pointer
    package let field: String
    package let memberClass: String
    /// The server time of the last change of the owner's row; nil if unknown.
    package let updatedAt: ParseDate?

    package init(owner: Pointer, field: String, memberClass: String, updatedAt: ParseDate? = nil) {
        self.owner = owner
        self.field = field
        self.memberClass = memberClass
        self.updatedAt = updatedAt
    }
}

/// The relations in one field of a class whose members must be read from the remote.
package struct WaitingRelations: Sendable, Hashable {
    package let column: RelationField
    package let count: Int
    /// The earliest `updatedAt` of the objects whose relations must be read, by the server's clock.
    package let since: ParseDate

    package init(column: RelationField, count: Int, since: ParseDate) {
        self.column = column
        self.count = count
        self.since = since
    }
}

/// All members of a relation, as the remote has them.
package struct BaseMembers: Sendable, Hashable {
    package let owner: Pointer
    package let field: String
    package let memberClass: String
    package let memberIds: [String]

    package init(owner: Pointer, field: String, memberClass: String, memberIds: [String]) {
        self.owner = owner
        self.field = field
        self.memberClass = memberClass
        self.memberIds = memberIds
    }
}

/// A request for a page of owners: the objects whose relation has at least one of the given members.
package struct OwnersRequest: Sendable, Hashable {
    package let column: RelationField
    package let memberIds: [String]
    /// The last id of the previous page; nil for the first page.
    package let after: String?

    package init(column: RelationField, memberIds: [String], after: String? = nil) {
        self.column = column
        self.memberIds = memberIds
        self.after = after
    }
}

/// A page of owners: the objects whose relation has a requested member.
package struct OwnersPage: Sendable, Hashable {
    /// The ids of the owners on this page, in the remote's sort order; empty after the last page.
    package let ownerIds: [String]
    /// The number of owners on this page and all later ones, counted with the page; nil if the remote forbids counting.
    package let count: Int?

    package init(ownerIds: [String], count: Int? = nil) {
        self.ownerIds = ownerIds
        self.count = count
    }
}
