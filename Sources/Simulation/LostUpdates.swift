/// Whether somebody's value was overwritten, or deleted with its object, by somebody who had not seen it, and without a
/// word anywhere.
struct LostUpdates: Sendable {
    private let history: ServerHistory
    private let records: Records
    private let excused: Set<String>
    /// Fields that a replica does not pull, by its name.
    private let unpulled: [String: Set<String>]
    /// Who gave a field a value, by `title/field/value`.
    private var authors: [String: Ledger.Entry] = [:]
    /// Who deleted an object, by `party/title`.
    private var deletions: [String: [Ledger.Entry]] = [:]
    /// When a value came to stand on the server, by `title/field/value`.
    private var arrivals: [String: [ServerHistory.FieldChange]] = [:]

    init(_ ledger: Ledger, _ history: ServerHistory, records: Records, unpulled: [String: Set<String>]) {
        self.history = history
        self.records = records
        self.unpulled = unpulled
        excused = ledger.excused
        for entry in ledger.entries {
            switch entry.operation {
            case .set(let field, let value): authors["\(entry.title)/\(field)/\(value)"] = entry
            case .delete: deletions["\(entry.party)/\(entry.title)", default: []].append(entry)
            case .create, .point, .relate, .attach, .count: break
            }
        }
        for change in history.fieldChanges {
            if let to = change.to { arrivals["\(change.title)/\(change.field)/\(to)", default: []].append(change) }
        }
    }

    /// - Returns: a line for each value that was lost so.
    func findings() -> [String] {
        history.fieldChanges.compactMap { change in
            guard !excused.contains(change.title), let value = change.from, let author = self.author(of: value, change),
                author.isAcknowledged, !author.isOverruled,
                // What is on its way for so long may meet others' work; whoever sent it must not have added to it meanwhile.
                !change.sender.isLate || author.party == change.sender.party,
                // Whoever has an object under two ids for a while may delete under one what they set under the other.
                !(change.isDeletion && author.party == change.sender.party),
                unpulled[change.sender.party]?.contains(change.field) != true,
                !wasRead(value, change), !isRecorded(value, change, author.party), !arrivedUnread(value, change)
            else { return nil }
            let what = change.isDeletion ? "deleted" : "overwritten with \(change.to ?? "nothing")"
            return "\(change.title).\(change.field) was \(value), and "
                + "\(change.sender.party), who had not seen that, has it \(what)"
        }
    }

    private func author(of value: String, _ change: ServerHistory.FieldChange) -> Ledger.Entry? {
        authors["\(change.title)/\(change.field)/\(value)"]
    }

    /// Whether what was written was made with sight of the value or of a later one: its writer saw that, or the record of a
    /// conflict shows that it replaced that, or the same holds of what was seen or replaced so. Of what a party writes in a row,
    /// the server may get the last value only.
    private func wasRead(_ value: String, _ change: ServerHistory.FieldChange) -> Bool {
        let since = arrival(of: value, change)?.order ?? 0
        var reached: Set<String> = []
        var open = firstSeen(change)
        while let known = open.popLast() {
            guard reached.insert(known).inserted else { continue }
            if known == value || arrival(of: known, change).map({ $0.order > since }) == true { return true }
            guard let author = author(of: known, change) else { continue }
            open += replaced(by: author, change.field)
        }
        return false
    }

    private func firstSeen(_ change: ServerHistory.FieldChange) -> [String] {
        if change.isDeletion {
            return (deletions["\(change.sender.party)/\(change.title)"] ?? []).flatMap {
                replaced(by: $0, change.field)
            }
        }
        return change.to.flatMap { author(of: $0, change) }.map { replaced(by: $0, change.field) } ?? []
    }

    /// What a field was when somebody set it or deleted its object: to their eyes, and as the record of a conflict shows it.
    private func replaced(by entry: Ledger.Entry, _ field: String) -> [String] {
        (entry.seen[field].map { [$0] } ?? []) + (records.replaced[entry.mention]?[field] ?? [])
    }

    /// How the value has come to stand there when the change takes it away.
    private func arrival(of value: String, _ change: ServerHistory.FieldChange) -> ServerHistory.FieldChange? {
        arrivals["\(change.title)/\(change.field)/\(value)"]?.last { $0.order < change.order }
    }

    private func isRecorded(_ value: String, _ change: ServerHistory.FieldChange, _ author: String) -> Bool {
        [change.sender.party, author].contains { party in
            records.mentioned.contains(
                Ledger.Mention(party: party, title: change.title, what: "\(change.field)=\(value)"))
        }
    }

    /// The value arrived late, after the last look that was to be had before the write.
    private func arrivedUnread(_ value: String, _ change: ServerHistory.FieldChange) -> Bool {
        guard let arrival = arrival(of: value, change), arrival.sender.isLate else { return false }
        return arrival.order > change.lastReadOrder
    }
}
