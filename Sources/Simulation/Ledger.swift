import ParseModel

/// What users have been told is done, and what they have decided since: the other half of the books, against which
/// the server's history is held at the end.
struct Ledger: Sendable {
    enum Operation: Sendable, Hashable {
        case create
        /// A field was given a value that no other write has.
        case set(field: String, value: String)
        /// The pointer was set to the object of a title.
        case point(to: String)
        /// The object of a title was made a member of the relation, or ceased to be one.
        case relate(member: String, isMember: Bool)
        /// A file was uploaded, whose content no other file has, and the object was made to carry it.
        case attach(content: String)
        /// A counter was raised by one, with a mark in the log beside it that no other write has.
        case count(mark: String)
        case delete
    }

    struct Entry: Sendable {
        let party: String
        let title: String
        let operation: Operation
        /// Whether the answer came. A write without one may have been done or not.
        let isAcknowledged: Bool
        /// What the fields that users set were to the eyes of whoever did it.
        var seen: [String: String] = [:]
        /// Somebody has since decided, with open eyes, against it.
        var isOverruled = false
    }

    /// What the record of a conflict at a replica names.
    struct Mention: Sendable, Hashable {
        let party: String
        let title: String
        /// `field=value`, or `deletion`; the value of a pointer is the title of its object.
        let what: String
    }

    private(set) var entries: [Entry] = []
    /// How often somebody has decided that an object which was gone shall be made again.
    private(set) var revivals: [String: Int] = [:]
    /// Objects whose past the server has lost, and the promises about them with it.
    private(set) var excused: Set<String> = []

    mutating func add(_ entry: Entry) { entries.append(entry) }

    /// Somebody at `party` has dropped all its pending work on an object.
    mutating func overrule(_ title: String, at party: String) {
        for index in entries.indices where entries[index].title == title && entries[index].party == party {
            entries[index].isOverruled = true
        }
    }

    /// Somebody at `party` has said that an object is gone: their own deletion of it is done with that.
    mutating func confirmDeletion(_ title: String, at party: String) {
        for index in entries.indices
        where entries[index].title == title && entries[index].party == party && entries[index].operation == .delete {
            entries[index].isOverruled = true
        }
    }

    /// Files may be missing on the server.
    mutating func excuseFiles() {
        for index in entries.indices {
            if case .attach = entries[index].operation { entries[index].isOverruled = true }
        }
    }

    mutating func excuse(_ title: String) { excused.insert(title) }

    mutating func revive(_ title: String) { revivals[title, default: 0] += 1 }

    /// The titles of the objects that a party has deleted, or has tried to.
    func deletedTitles(by party: String) -> Set<String> {
        Set(entries.lazy.filter { $0.party == party && $0.operation == .delete }.map(\.title))
    }

    /// The earliest mark of a party among those given.
    func first(of marks: Set<String>, by party: String) -> String? {
        for entry in entries where entry.party == party {
            if case .count(let mark) = entry.operation, marks.contains(mark) { return mark }
        }
        return nil
    }

    // MARK: The audit

    /// - Parameters:
    ///   - live: the logs of the objects that the server has at the end, by title.
    ///   - recorded: what the replicas' records of conflicts show as given up.
    /// - Returns: a line for each promise that was broken.
    func violations(
        against history: ServerHistory, live: [String: [Set<String>]], recorded: Set<Mention>
    ) -> [String] {
        var lines: [String] = history.titlesWithDuplicateMarks.filter { !excused.contains($0) }.map {
            "\($0): a mark stands twice in the log"
        }
        let deletions = Dictionary(
            entries.lazy.filter { $0.operation == .delete }.map { ($0.title, 1) }, uniquingKeysWith: +)
        for (title, count) in history.createCounts.sorted(by: { $0.key < $1.key }) {
            // An object that is deleted before the outcome of its create is known was, to its maker, never made.
            guard !excused.contains(title), count > 1 + (revivals[title] ?? 0) + (deletions[title] ?? 0) else {
                continue
            }
            lines.append("\(title) was created \(count) times")
        }
        for (index, entry) in entries.enumerated()
        where entry.isAcknowledged && !entry.isOverruled && !excused.contains(entry.title) {
            guard !isSuperseded(index), !recorded.contains(entry.mention),
                let line = violation(of: entry, history, live)
            else { continue }
            lines.append("\(entry.party) was told that this is done: \(line)")
        }
        return lines
    }

    /// The same party has since done something else to the same thing, so that this may never have left it.
    private func isSuperseded(_ index: Int) -> Bool {
        let entry = entries[index]
        return entries[(index + 1)...].contains { later in
            guard later.party == entry.party, later.title == entry.title else { return false }
            switch (entry.operation, later.operation) {
            // What can be edited is there again, as part of a conflict: the edit decides that.
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
        case .point(let target):
            // A pointer to an object that never came to the server cannot be told by its title.
            return history.ids[target] == nil || history.hasHeld(target, in: ServerHistory.pointerField, of: title)
                ? nil : "\(title) was made to point to \(target), and the server never had that"
        case .attach(let content):
            return history.hasHeld(content, in: ServerHistory.fileField, of: title)
                ? nil : "\(title) was given a file with \(content), and the server never had that"
        // The members at the end are held against all that was done to them.
        case .relate: return nil
        case .create: return history.ids[title] == nil ? "\(title) was made, and the server never had it" : nil
        case .set(let field, let value):
            return history.hasHeld(value, in: field, of: title)
                ? nil : "\(title).\(field) was set to \(value), and the server never had that"
        case .count(let mark):
            guard history.hasHeld(mark, in: "log", of: title) else {
                return "\(title) was counted up with \(mark), and the server never had that"
            }
            // Who makes an object anew knows it as it was there, perhaps without this.
            guard let logs = live[title], !isRecreated(title, history), !logs.contains(where: { $0.contains(mark) })
            else { return nil }
            return "\(title) was counted up with \(mark), and the server has lost that"
        case .delete:
            // To its maker, who has not heard yet of its making, somebody else's deletion means that it was never made.
            let isMaker = entries.contains { $0.operation == .create && $0.title == title && $0.party == entry.party }
            let isExcused = isMaker ? revivals[title] != nil : isRecreated(title, history)
            return live[title] != nil && !isExcused ? "\(title) was deleted, and the server has it" : nil
        }
    }
}

extension Ledger.Entry {
    /// How the record of a conflict would show it.
    var mention: Ledger.Mention {
        let what =
            switch operation {
            case .set(let field, let value): "\(field)=\(value)"
            case .count(let mark): "log=\(mark)"
            case .create: "title=\(title)"
            case .delete: "deletion"
            case .point(let target): "\(ServerHistory.pointerField)=\(target)"
            case .attach(let content): "\(ServerHistory.fileField)=\(content)"
            case .relate(let member, _): "\(ServerHistory.relationField)=\(member)"
            }
        return Ledger.Mention(party: party, title: title, what: what)
    }
}
