extension Ledger {
    /// Compares the final members of relations with the users' writes. A pair of owner and member is checked only if
    /// the last writes of all parties (replicas or users of the server) agree: the order of these writes then does not
    /// matter.
    /// - Parameters:
    ///   - members: the titles of the members of each object's relation on the server, by the title of the relation's owner.
    ///   - live: the titles of the live objects that were created exactly once. A recreated object loses its memberships.
    ///   - recorded: the discarded values according to the replicas' conflict records.
    /// - Returns: a line for each pair whose membership contradicts the last writes.
    func relationViolations(
        _ members: [String: Set<String>], live: Set<String>, recorded: Set<Mention>
    ) -> [String] {
        var writes: [Pair: [String: [Int]]] = [:]
        for (index, entry) in entries.enumerated() {
            guard case .relate(let member, _) = entry.operation else { continue }
            writes[Pair(owner: entry.title, member: member), default: [:]][entry.party, default: []].append(index)
        }
        return writes.sorted { $0.key < $1.key }.compactMap { pair, writesByParty in
            guard live.contains(pair.owner), live.contains(pair.member), !excused.contains(pair.owner),
                !excused.contains(pair.member)
            else { return nil }
            var wanted: Set<Bool> = []
            var parties: Set<String> = []
            for (party, indices) in writesByParty {
                // The final membership may come from the party's last write that the server must have executed
                // (`isPromised`), or from any later write of the party.
                for index in indices.reversed() {
                    wanted.insert(entries[index].makesMember)
                    guard isPromised(index, recorded) else { continue }
                    parties.insert(party)
                    break
                }
            }
            let isMember = members[pair.owner]?.contains(pair.member) == true
            guard let party = parties.min(), wanted.count == 1, wanted != [isMember] else { return nil }
            let (operation, state) = isMember ? ("left", "is still a member") : ("joined", "is not a member")
            return "acknowledged to \(party) but lost: \(pair.member) \(operation) the relation of "
                + "\(pair.owner) but \(state)"
        }
    }

    /// Whether the server must have executed the write: the write was acknowledged, no user discarded it, no later write of the
    /// party replaced it, and no conflict record shows it as discarded.
    private func isPromised(_ index: Int, _ recorded: Set<Mention>) -> Bool {
        let entry = entries[index]
        return entry.isAcknowledged && !entry.isOverruled && !isSuperseded(index)
            && recorded.isDisjoint(with: entry.mentions)
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
