/// Who joins a relation and who leaves it in one write. All members of a relation are objects of one class.
package struct RelationChange: Sendable, Hashable {
    package let memberClass: String
    /// Ids of objects, each once, and in one of the two lists only.
    package let added: [String]
    package let removed: [String]

    /// - Parameter removed: an id that is in both lists is removed.
    package init(memberClass: String, added: [String] = [], removed: [String] = []) {
        self.memberClass = memberClass
        self.removed = Self.unique(removed)
        let leaving = Set(removed)
        self.added = Self.unique(added).filter { !leaving.contains($0) }
    }

    /// The members after the write.
    package func applied(to members: Set<String>) -> Set<String> {
        members.subtracting(removed).union(added)
    }

    /// One change with the effect of this one and then `next`; nil where they speak of objects of different classes.
    package func followed(by next: RelationChange) -> RelationChange? {
        guard next.memberClass == memberClass else { return nil }
        let (joining, leaving) = (Set(next.added), Set(next.removed))
        return RelationChange(
            memberClass: memberClass, added: added.filter { !leaving.contains($0) } + next.added,
            removed: removed.filter { !joining.contains($0) } + next.removed)
    }

    /// What a field holds that is a relation: the class of its members, and none of them.
    package var fieldValue: JSONValue { ["__type": "Relation", "className": .string(memberClass)] }

    /// How many objects join or leave.
    var memberCount: Int { added.count + removed.count }

    /// Those who join, and then those who leave.
    var pointers: [Pointer] { (added + removed).map { Pointer(className: memberClass, objectId: $0) } }

    /// - Parameter replacement: gives objects other ids, and leaves them in their class.
    func replacingPointers(_ replacement: (Pointer) -> Pointer) -> RelationChange {
        func replaced(_ ids: [String]) -> [String] {
            ids.map { replacement(Pointer(className: memberClass, objectId: $0)).objectId }
        }
        return RelationChange(memberClass: memberClass, added: replaced(added), removed: replaced(removed))
    }

    private static func unique(_ ids: [String]) -> [String] {
        var seen: Set<String> = []
        return ids.filter { seen.insert($0).inserted }
    }
}
