/// Finds lost updates: a replica or a user of the server has overwritten or deleted a value without having read it, and
/// no conflict record contains the value.
struct LostUpdates: Sendable {
    private let history: ServerHistory
    private let records: Records
    private let excused: Set<String>
    /// For each replica, by name: those of the fields `a` and `b` that the replica does not pull.
    private let unpulled: [String: Set<String>]
    /// The write that set each value, by `title/field/value`.
    private var authors: [String: Ledger.Entry] = [:]
    /// The writes that deleted an object, by `party/title`. A party is a replica or the server.
    private var deletions: [String: [Ledger.Entry]] = [:]
    /// For each field that was set twice at one place in the same millisecond: the value of the earlier write, by
    /// `title/field/value` of the later write. The later write replaces this value without having read it.
    private var replacedAtOnce: [String: String] = [:]
    /// The changes on the server that set a field to a value, by `title/field/value`.
    private var arrivals: [String: [ServerHistory.FieldChange]] = [:]

    init(_ ledger: Ledger, _ history: ServerHistory, records: Records, unpulled: [String: Set<String>]) {
        self.history = history
        self.records = records
        self.unpulled = unpulled
        excused = ledger.excused
        var latest: [String: (value: String, atMs: Int64)] = [:]
        for entry in ledger.entries {
            switch entry.operation {
            case .set(let field, let value):
                authors["\(entry.title)/\(field)/\(value)"] = entry
                let place = "\(entry.party)/\(entry.title)/\(field)"
                if let before = latest[place], before.atMs == entry.atMs {
                    replacedAtOnce["\(entry.title)/\(field)/\(value)"] = before.value
                }
                latest[place] = (value, entry.atMs)
            case .delete: deletions["\(entry.party)/\(entry.title)", default: []].append(entry)
            case .create, .point, .relate, .attach, .count, .increment: break
            }
        }
        for change in history.fieldChanges {
            if let to = change.to { arrivals["\(change.title)/\(change.field)/\(to)", default: []].append(change) }
        }
    }

    /// Checks every change of the fields `a` and `b` on the server.
    /// - Returns: a line for each lost value.
    func findings() -> [String] {
        history.fieldChanges.compactMap { change in
            guard !excused.contains(change.title), let value = change.from, let author = self.author(of: value, change),
                author.isAcknowledged, !author.isOverruled,
                // A late request may overwrite values of other parties unseen, but not values of its own sender.
                !change.sender.isLate || author.party == change.sender.party,
                // A party (a replica or the server) may delete a value that it set itself and has not read back. While
                // an object's id changes, a replica may set a value under one id and delete the object under the other.
                !(change.isDeletion && author.party == change.sender.party),
                unpulled[change.sender.party]?.contains(change.field) != true,
                !wasRead(value, change), !isRecorded(value, change, author.party), !arrivedUnread(value, change)
            else { return nil }
            let what = change.isDeletion ? "deleted" : "overwrote with \(change.to ?? "nothing")"
            return "\(change.title).\(change.field): "
                + "\(change.sender.party) \(what) the value \(value) without having read it"
        }
    }

    private func author(of value: String, _ change: ServerHistory.FieldChange) -> Ledger.Entry? {
        authors["\(change.title)/\(change.field)/\(value)"]
    }

    /// Whether the writer knew the value, or a later value of the field. The writer knows the values that it saw, and
    /// the values that its write replaced according to conflict records. If a known value has itself replaced other
    /// values, the writer knows these too: the server may receive only the last of several writes.
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

    /// The values of a field that a write replaced: the value that its writer saw, the value of an earlier write in the same
    /// millisecond, and the values in conflict records.
    private func replaced(by entry: Ledger.Entry, _ field: String) -> [String] {
        var values = records.replaced[entry.mention]?[field] ?? []
        if let seen = entry.seen[field] { values.append(seen) }
        if case .set(field, let value) = entry.operation,
            let before = replacedAtOnce["\(entry.title)/\(field)/\(value)"]
        {
            values.append(before)
        }
        return values
    }

    /// The latest change before `change` that set the field to `value`; nil if there is none.
    private func arrival(of value: String, _ change: ServerHistory.FieldChange) -> ServerHistory.FieldChange? {
        arrivals["\(change.title)/\(change.field)/\(value)"]?.last { $0.order < change.order }
    }

    private func isRecorded(_ value: String, _ change: ServerHistory.FieldChange, _ author: String) -> Bool {
        [change.sender.party, author].contains { party in
            records.mentioned.contains(
                Ledger.Mention(party: party, title: change.title, what: "\(change.field)=\(value)"))
        }
    }

    /// Whether the value is newer than the writer's last read of the object. Possible reasons: a late request set the
    /// value, or a lagging copy answered the read.
    private func arrivedUnread(_ value: String, _ change: ServerHistory.FieldChange) -> Bool {
        guard let arrival = arrival(of: value, change) else { return false }
        return (arrival.sender.isLate || change.lastRead.isLagging) && arrival.order > change.lastRead.order
    }
}
