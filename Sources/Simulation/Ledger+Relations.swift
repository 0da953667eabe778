extension Ledger {
    /// Compares the final members of relations with the users' writes. A pair of owner and member is checked only if
    /// the
    /// latest writes of all parties agree, because then their order does not matter.
    /// - Parameters:
    ///   - members: the titles of the members of each live object's relation, by the owner's title.
    ///   - live: the titles of the live objects that were created exactly once. A recreated object loses its
    ///     memberships.
    /// - Returns: a line for each pair in the wrong state.
    func relationViolations(_ members: [String: Set<String>], live: Set<String>) -> [String] {
        var latest: [Pair: [String: Entry]] = [:]
        for entry in entries {
            if case .relate(let member, _) = entry.operation {
                latest[Pair(owner: entry.title, member: member), default: [:]][entry.party] = entry
            }
        }
        return latest.sorted { $0.key < $1.key }.compactMap { pair, operations in
            guard live.contains(pair.owner), live.contains(pair.member), !excused.contains(pair.owner),
                !excused.contains(pair.member), !operations.values.contains(where: \.isOverruled),
                operations.values.contains(where: \.isAcknowledged)
            else { return nil }
            let wanted = Set(operations.values.map(\.makesMember))
            let isMember = members[pair.owner]?.contains(pair.member) == true
            guard wanted.count == 1, wanted != [isMember] else { return nil }
            let party = operations.values.filter(\.isAcknowledged).map(\.party).min() ?? ""
            let (operation, state) = isMember ? ("left", "is still a member") : ("joined", "is not a member")
            return "acknowledged to \(party) but lost: \(pair.member) \(operation) the relation of "
                + "\(pair.owner) but \(state)"
        }
    }

    private struct Pair: Hashable, Comparable {
        let owner: String
        let member: String

        static func < (one: Pair, other: Pair) -> Bool {
            (one.owner, one.member) < (other.owner, other.member)
        }
    }
}

extension Ledger.Entry {
    fileprivate var makesMember: Bool {
        if case .relate(_, let isMember) = operation { isMember } else { false }
    }
}
