/// Whether somebody's value was overwritten, or deleted with its object, by somebody who had not seen it, and without a
/// word anywhere.
struct Overwriting: Sendable {
    private let history: ServerHistory
    private let records: Records
    private let forgiven: Set<String>
    /// Fields that a replica does not pull, by its name.
    private let blind: [String: Set<String>]
    /// Who gave a field a value, by `title/field/value`.
    private var authors: [String: Ledger.Entry] = [:]
    /// Who deleted an object, by `party/title`.
    private var deletions: [String: [Ledger.Entry]] = [:]
    /// When a value came to stand on the server, by `title/field/value`.
    private var arrivals: [String: [ServerHistory.Turn]] = [:]

    init(_ ledger: Ledger, _ history: ServerHistory, records: Records, blind: [String: Set<String>]) {
        self.history = history
        self.records = records
        self.blind = blind
        forgiven = ledger.forgiven
        for entry in ledger.entries {
            switch entry.deed {
            case .set(let field, let value): authors["\(entry.title)/\(field)/\(value)"] = entry
            case .delete: deletions["\(entry.party)/\(entry.title)", default: []].append(entry)
            case .create, .point, .relate, .attach, .count: break
            }
        }
        for turn in history.turns {
            if let to = turn.to { arrivals["\(turn.title)/\(turn.field)/\(to)", default: []].append(turn) }
        }
    }

    /// - Returns: a line for each value that was lost so.
    func lines() -> [String] {
        history.turns.compactMap { turn in
            guard !forgiven.contains(turn.title), let value = turn.from, let author = self.author(of: value, turn),
                author.isAcknowledged, !author.isOverruled,
                // What is on its way for so long may meet others' work; whoever sent it must not have added to it meanwhile.
                !turn.hand.isLate || author.party == turn.hand.party,
                // Whoever has an object under two ids for a while may delete under one what they set under the other.
                !(turn.isDeletion && author.party == turn.hand.party),
                blind[turn.hand.party]?.contains(turn.field) != true,
                !isSeen(value, turn), !isMentioned(value, turn, author.party), !cameUnseen(value, turn)
            else { return nil }
            let what = turn.isDeletion ? "deleted" : "overwritten with \(turn.to ?? "nothing")"
            return "\(turn.title).\(turn.field) was \(value), and "
                + "\(turn.hand.party), who had not seen that, has it \(what)"
        }
    }

    private func author(of value: String, _ turn: ServerHistory.Turn) -> Ledger.Entry? {
        authors["\(turn.title)/\(turn.field)/\(value)"]
    }

    /// Whether what was written was made with sight of the value or of a later one: its writer saw that, or the record of a
    /// conflict shows that it replaced that, or the same holds of what was seen or replaced so. Of what a party writes in a row,
    /// the server may get the last value only.
    private func isSeen(_ value: String, _ turn: ServerHistory.Turn) -> Bool {
        let since = arrival(of: value, turn)?.order ?? 0
        var reached: Set<String> = []
        var open = firstSeen(turn)
        while let known = open.popLast() {
            guard reached.insert(known).inserted else { continue }
            if known == value || arrival(of: known, turn).map({ $0.order > since }) == true { return true }
            guard let author = author(of: known, turn) else { continue }
            open += replaced(by: author, turn.field)
        }
        return false
    }

    private func firstSeen(_ turn: ServerHistory.Turn) -> [String] {
        if turn.isDeletion {
            return (deletions["\(turn.hand.party)/\(turn.title)"] ?? []).flatMap { replaced(by: $0, turn.field) }
        }
        return turn.to.flatMap { author(of: $0, turn) }.map { replaced(by: $0, turn.field) } ?? []
    }

    /// What a field was when somebody set it or deleted its object: to their eyes, and as the record of a conflict shows it.
    private func replaced(by entry: Ledger.Entry, _ field: String) -> [String] {
        (entry.seen[field].map { [$0] } ?? []) + (records.replaced[entry.mention]?[field] ?? [])
    }

    /// How the value has come to stand there when the turn takes it away.
    private func arrival(of value: String, _ turn: ServerHistory.Turn) -> ServerHistory.Turn? {
        arrivals["\(turn.title)/\(turn.field)/\(value)"]?.last { $0.order < turn.order }
    }

    private func isMentioned(_ value: String, _ turn: ServerHistory.Turn, _ author: String) -> Bool {
        [turn.hand.party, author].contains { party in
            records.mentioned.contains(Ledger.Mention(party: party, title: turn.title, what: "\(turn.field)=\(value)"))
        }
    }

    /// The value arrived late, after the last look that was to be had before the write.
    private func cameUnseen(_ value: String, _ turn: ServerHistory.Turn) -> Bool {
        guard let arrival = arrival(of: value, turn), arrival.hand.isLate else { return false }
        return arrival.order > turn.lastLook
    }
}
