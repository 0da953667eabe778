/// The members that one write adds to a relation and removes from it. All members of a relation are of one class.
package struct RelationChange: Sendable, Hashable {
    package let memberClass: String
    /// Object ids without duplicates. An id is in one of the two lists only.
    package let added: [String]
    package let removed: [String]

    /// - Parameter removed: wins over `added` for an id in both lists.
    package init(memberClass: String, added: [String] = [], removed: [String] = []) {
        self.memberClass = memberClass
        self.removed = Self.unique(removed)
        let removedIds = Set(removed)
        self.added = Self.unique(added).filter { !removedIds.contains($0) }
    }

    /// The members after the write.
    package func applied(to members: Set<String>) -> Set<String> {
        members.subtracting(removed).union(added)
    }

    /// A single change equivalent to this change followed by `next`; nil if the member classes differ.
    package func followed(by next: RelationChange) -> RelationChange? {
        guard next.memberClass == memberClass else { return nil }
        let (addedIds, removedIds) = (Set(next.added), Set(next.removed))
        return RelationChange(
            memberClass: memberClass, added: added.filter { !removedIds.contains($0) } + next.added,
            removed: removed.filter { !addedIds.contains($0) } + next.removed)
    }

    /// The value of a relation field: the class of the members, without the members.
    package var fieldValue: JSONValue { ["__type": "Relation", "className": .string(memberClass)] }

    /// The number of added and removed members together.
    var memberCount: Int { added.count + removed.count }

    /// Pointers to the added members, then to the removed ones.
    var pointers: [Pointer] { (added + removed).map { Pointer(className: memberClass, objectId: $0) } }

    /// - Parameter replacement: returns a pointer with another id and the same class.
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
