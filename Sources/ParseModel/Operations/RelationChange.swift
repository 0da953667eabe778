/// The members that one write adds to a relation and removes from it. All members belong to one class, the member class.
package struct RelationChange: Sendable, Hashable {
    package let memberClass: String
    /// Object ids without duplicates. No id is both in `added` and in `removed`.
    package let added: [String]
    package let removed: [String]

    /// - Parameter removed: the ids to remove. An id that is in both lists is removed, and not added.
    package init(memberClass: String, added: [String] = [], removed: [String] = []) {
        self.memberClass = memberClass
        self.removed = Self.unique(removed)
        let removedIds = Set(removed)
        self.added = Self.unique(added).filter { !removedIds.contains($0) }
    }

    /// Applies the change to the member ids of a relation.
    package func applied(to members: Set<String>) -> Set<String> {
        members.subtracting(removed).union(added)
    }

    /// One change with the effect of this change followed by `next`; nil if the member classes differ.
    package func followed(by next: RelationChange) -> RelationChange? {
        guard next.memberClass == memberClass else { return nil }
        let (addedIds, removedIds) = (Set(next.added), Set(next.removed))
        return RelationChange(
            memberClass: memberClass, added: added.filter { !removedIds.contains($0) } + next.added,
            removed: removed.filter { !addedIds.contains($0) } + next.removed)
    }

    /// The value of a relation field: the member class, without the members.
    package var fieldValue: JSONValue { ["__type": "Relation", "className": .string(memberClass)] }

    /// The number of added and removed members together.
    var memberCount: Int { added.count + removed.count }

    /// Pointers to the added members, followed by pointers to the removed members.
    var pointers: [Pointer] { (added + removed).map { Pointer(className: memberClass, objectId: $0) } }

    /// Returns the change with each member's id replaced.
    /// - Parameter replacement: takes a pointer to a member, and returns a pointer with the new id.
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
