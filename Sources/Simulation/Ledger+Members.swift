extension Ledger {
    /// Holds the members of relations at the end against what people did to them. A pair of owner and member counts where the
    /// latest deeds of all parties agree: then their order does not matter.
    /// - Parameters:
    ///   - members: the titles of the members of each live object's relation, by the owner's title.
    ///   - live: the titles of the live objects that were made once only: objects that are made again lose their memberships.
    func membersAudit(_ members: [String: Set<String>], live: Set<String>) -> [String] {
        var latest: [Pair: [String: Entry]] = [:]
        for entry in entries {
            if case .relate(let member, _) = entry.deed {
                latest[Pair(owner: entry.title, member: member), default: [:]][entry.party] = entry
            }
        }
        return latest.sorted { $0.key < $1.key }.compactMap { pair, deeds in
            guard live.contains(pair.owner), live.contains(pair.member), !forgiven.contains(pair.owner),
                !forgiven.contains(pair.member), !deeds.values.contains(where: \.isOverruled),
                deeds.values.contains(where: \.isAcknowledged)
            else { return nil }
            let wanted = Set(deeds.values.map(\.makesMember))
            let isMember = members[pair.owner]?.contains(pair.member) == true
            guard wanted.count == 1, wanted != [isMember] else { return nil }
            let party = deeds.values.filter(\.isAcknowledged).map(\.party).min() ?? ""
            let (deed, state) = isMember ? ("left", "is in it") : ("joined", "is not in it")
            return "\(party) was told that this is done: \(pair.member) \(deed) the relation of "
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
        if case .relate(_, let isMember) = deed { isMember } else { false }
    }
}
