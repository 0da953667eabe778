extension Ledger {
    /// Holds the members of relations at the end against what users did to them. A pair of owner and member counts where the
    /// latest operations of all parties agree: then their order does not matter.
    /// - Parameters:
    ///   - members: the titles of the members of each live object's relation, by the owner's title.
    ///   - live: the titles of the live objects that were made once only: objects that are made again lose their memberships.
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
            let (operation, state) = isMember ? ("left", "is in it") : ("joined", "is not in it")
            return "\(party) was told that this is done: \(pair.member) \(operation) the relation of "
                + "\(pair.owner), and \(state)"
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
