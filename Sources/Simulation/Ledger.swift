import ParseModel

/// The writes that replicas acknowledged to users, and the later decisions of the users. At the end of a run the
/// server's history is audited against it.
struct Ledger: Sendable {
    enum Operation: Sendable, Hashable {
        case create
        /// A field was set to a unique value.
        case set(field: String, value: String)
        /// A pointer was set to the object with this title, by the id that the writer knew.
        case point(to: String, id: String)
        /// The object with the title `member` was added to the relation or removed from it.
        case relate(member: String, isMember: Bool)
        /// A file with unique content was uploaded and set on the object.
        case attach(content: String)
        /// A counter was incremented and a unique mark was added to the log in the same write.
        case count(mark: String)
        case delete
    }

    struct Entry: Sendable {
        let party: String
        let title: String
        let operation: Operation
        /// Whether the write was acknowledged. The outcome of a write without an answer is unknown.
        let isAcknowledged: Bool
        /// The values of the settable fields as the writer saw them.
        var seen: [String: String] = [:]
        /// Whether a user at the party has since decided to discard the write.
        var isOverruled = false
    }

    /// A value that a replica's conflict record names.
    struct Mention: Sendable, Hashable {
        let party: String
        let title: String
        /// `field=value`, or `deletion`. The value of a pointer is the title of its target, or its id. The value of a relation is
        /// empty, because records do not contain members.
        let what: String
    }

    private(set) var entries: [Entry] = []
    /// The number of decisions to recreate a deleted object, by title.
    private(set) var revivals: [String: Int] = [:]
    /// The titles of objects that a data fault of the server has damaged. No promise about them is checked.
    private(set) var excused: Set<String> = []

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Marks all work of a party on an object as discarded by its user.
    mutating func overrule(_ title: String, at party: String) {
        for index in entries.indices where entries[index].title == title && entries[index].party == party {
            entries[index].isOverruled = true
        }
    }

    /// Marks a party's own deletions of an object as settled: a user there has confirmed the removal of the object.
    mutating func confirmDeletion(_ title: String, at party: String) {
        for index in entries.indices
        where entries[index].title == title && entries[index].party == party && entries[index].operation == .delete {
            entries[index].isOverruled = true
        }
    }

    /// Marks all file writes as settled: the server may have lost the files.
    mutating func excuseFiles() {
        for index in entries.indices {
            if case .attach = entries[index].operation { entries[index].isOverruled = true }
        }
    }

    mutating func excuse(_ title: String) { excused.insert(title) }

    mutating func revive(_ title: String) { revivals[title, default: 0] += 1 }

    /// The titles of the objects that a party deleted, acknowledged or not.
    func deletedTitles(by party: String) -> Set<String> {
        Set(entries.lazy.filter { $0.party == party && $0.operation == .delete }.map(\.title))
    }

    /// The party's earliest mark among the given marks.
    func first(of marks: Set<String>, by party: String) -> String? {
        for entry in entries where entry.party == party {
            if case .count(let mark) = entry.operation, marks.contains(mark) { return mark }
        }
        return nil
    }

    // MARK: The audit

    /// Audits the entries against the server's history.
    /// - Parameters:
    ///   - live: the logs of the objects on the server at the end, by title.
    ///   - recorded: the discarded values according to the replicas' conflict records.
    /// - Returns: a line for each broken promise.
    func violations(
        against history: ServerHistory, live: [String: [Set<String>]], recorded: Set<Mention>
    ) -> [String] {
        var lines: [String] = history.titlesWithDuplicateMarks.filter { !excused.contains($0) }.map {
            "\($0): the log contains a mark twice"
        }
        let deletions = Dictionary(
            entries.lazy.filter { $0.operation == .delete }.map { ($0.title, 1) }, uniquingKeysWith: +)
        for (title, count) in history.createCounts.sorted(by: { $0.key < $1.key }) {
            // Deleting an object before the outcome of its create is known may lead to one more create.
            guard !excused.contains(title), count > 1 + (revivals[title] ?? 0) + (deletions[title] ?? 0) else {
                continue
            }
            lines.append("\(title) was created \(count) times")
        }
        for (index, entry) in entries.enumerated()
        where entry.isAcknowledged && !entry.isOverruled && !excused.contains(entry.title) {
            guard !isSuperseded(index), recorded.isDisjoint(with: entry.mentions),
                let line = violation(of: entry, history, live)
            else { continue }
            lines.append("acknowledged to \(entry.party) but lost: \(line)")
        }
        return lines
    }

    /// Whether a later write of the same party replaced this one, so that this one may never have been sent.
    func isSuperseded(_ index: Int) -> Bool {
        let entry = entries[index]
        return entries[(index + 1)...].contains { later in
            guard later.party == entry.party, later.title == entry.title else { return false }
            switch (entry.operation, later.operation) {
            // An object that is edited after its deletion exists again as part of a conflict. The edit decides.
            case (.delete, .delete), (.delete, .create): return false
            case (.delete, _): return true
            case (_, .delete): return true
            case (.set(let field, _), .set(let other, _)): return field == other
            case (.point, .point), (.attach, .attach): return true
            default: return false
            }
        }
    }

    private func isRecreated(_ title: String, _ history: ServerHistory) -> Bool {
        revivals[title] != nil || history.createCounts[title, default: 0] > 1
    }

    private func violation(of entry: Entry, _ history: ServerHistory, _ live: [String: [Set<String>]]) -> String? {
        let title = entry.title
        switch entry.operation {
        case .point(let target, let id):
            if history.hasHeld(target, in: ServerHistory.pointerField, of: title) { return nil }
            // A target that is deleted before the writer learns its remote id keeps its local id in pointers.
            let isUnnamed = live[target] == nil && history.hasHeld(id, in: ServerHistory.pointerField, of: title)
            return isUnnamed ? nil : "\(title) was set to point to \(target); the server never had that pointer"
        case .attach(let content):
            return history.hasHeld(content, in: ServerHistory.fileField, of: title)
                ? nil : "\(title) was given a file with \(content); the server never had that file"
        // `relationViolations` checks the members.
        case .relate: return nil
        case .create: return history.ids[title] == nil ? "\(title) was created; the server never had it" : nil
        case .set(let field, let value):
            return history.hasHeld(value, in: field, of: title)
                ? nil : "\(title).\(field) was set to \(value); the server never had that value"
        case .count(let mark):
            guard history.hasHeld(mark, in: "log", of: title) else {
                return "\(title) was incremented with the mark \(mark); the server never had that mark"
            }
            // A recreated object has the log that its creator knew, possibly without this mark.
            guard let logs = live[title], !isRecreated(title, history), !logs.contains(where: { $0.contains(mark) })
            else { return nil }
            return "\(title) was incremented with the mark \(mark); the server has lost that mark"
        case .delete:
            // A creator that does not know the outcome of its create treats a remote deletion as a create that never happened.
            let isMaker = entries.contains { $0.operation == .create && $0.title == title && $0.party == entry.party }
            let isExcused = isMaker ? revivals[title] != nil : isRecreated(title, history)
            return live[title] != nil && !isExcused ? "\(title) was deleted; the server still has it" : nil
        }
    }
}

extension Ledger.Entry {
    /// The forms that the entry may have in a conflict record.
    var mentions: Set<Ledger.Mention> {
        guard case .point(_, let id) = operation else { return [mention] }
        return [
            mention, Ledger.Mention(party: party, title: title, what: "\(ServerHistory.pointerField)=\(id)"),
        ]
    }

    /// The entry in the form of a conflict record.
    var mention: Ledger.Mention {
        let what =
            switch operation {
            case .set(let field, let value): "\(field)=\(value)"
            case .count(let mark): "log=\(mark)"
            case .create: "title=\(title)"
            case .delete: "deletion"
            case .point(let target, _): "\(ServerHistory.pointerField)=\(target)"
            case .attach(let content): "\(ServerHistory.fileField)=\(content)"
            case .relate: "\(ServerHistory.relationField)="
            }
        return Ledger.Mention(party: party, title: title, what: what)
    }
}
