import ParseModel

/// A relation whose members have to be read, because the row of its owner is news.
package struct RelationPull: Sendable, Hashable {
    package let owner: Pointer
    package let field: String
    package let memberClass: String

    package init(owner: Pointer, field: String, memberClass: String) {
        self.owner = owner
        self.field = field
        self.memberClass = memberClass
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
