import ParseModel
import SyncModel

/// The record of all users' writes with their acknowledgements, and of the users' later decisions. At the end of a run,
/// the server's history is compared with it. The party of a write is the place where the user writes: a replica or the
/// server.
struct Ledger: Sendable {
    enum Operation: Sendable, Hashable {
        case create
        /// The field `a` or `b` was set to a unique value.
        case set(field: String, value: String)
        /// A pointer was set to the object with the title `to`. The writer knew the object by the id `id`.
        case point(to: String, id: String)
        /// The object with the title `member` was added to the relation (`isMember`), or removed from the relation.
        case relate(member: String, isMember: Bool)
        /// A file with unique content was uploaded and set on the object.
        case attach(content: String)
        /// The counter `n` was incremented, and a unique text (the mark) was added to the array `log` in the same
        /// write.
        case count(mark: String)
        /// The counter `n` was incremented, in a table, which cannot store the array `log`.
        case increment
        case delete
    }

    struct Entry: Sendable {
        /// The name of the replica that took the write, or `server` for a write on the server.
        let party: String
        let title: String
        let operation: Operation
        /// Whether the write was acknowledged. The outcome of a write without an answer is unknown.
        let isAcknowledged: Bool
        /// The global time of the write, in milliseconds since 1970.
        let atMs: Int64
        /// The values of the fields `a` and `b` that the writer saw before the write.
        var seen: [String: String] = [:]
        /// The id of the user who made the write; nil for the master key.
        var author: String?
        /// Whether the server may lack the write, because a user has discarded it, or because a restored server has
        /// lost its file.
        var isOverruled = false
        /// What the user of the write was told about the server; nil for nothing.
        var promise: Promise?
    }

    /// What a user was told about a write.
    enum Promise: Sendable {
        /// The server has executed the write.
        case executed
        /// The server has not executed the write, and never will.
        case neverExecuted
    }

    /// A value or a deletion that a replica's conflict record contains.
    struct Mention: Sendable, Hashable {
        let party: String
        let title: String
        /// `field=value`, or `deletion`. For a pointer, `value` is the title or the id of the target. For a relation, `value` is
        /// empty, because conflict records do not show members.
        let what: String
    }

    private(set) var entries: [Entry] = []

    /// Notes what the user of some writes was told about the server. Writes with a later write to the same object from the same
    /// place are left out, because the later write may have replaced them before they were sent.
    mutating func note(_ promise: Promise, of own: Range<Int>) {
        for index in own {
            let (party, title) = (entries[index].party, entries[index].title)
            if entries[own.upperBound...].contains(where: { $0.title == title && $0.party == party }) { continue }
            entries[index].promise = promise
        }
    }

    /// By title, the number of decisions that create a deleted object again.
    private(set) var revivals: [String: Int] = [:]
    /// By title, for the objects that a data fault has damaged: the number of ledger entries at the last damage, or at
    /// the last decision about the damage. The check skips the object's earlier entries.
    private(set) var excusedCounts: [String: Int] = [:]
    /// By object id, the titles of the objects about which users have decided. The title cannot be read from an object
    /// whose create was dropped: a change of another author then creates the object without its title.
    var decidedTitles: [String: String] = [:]
    /// The titles of the objects that a data fault of the server has damaged.
    var excused: Set<String> { Set(excusedCounts.keys) }

    /// By replica, the ids of the conflicts that users have decided.
    private var decided: [String: Set<Int64>] = [:]

    mutating func noteDecision(of conflictId: Int64, at party: String) {
        decided[party, default: []].insert(conflictId)
    }

    func isDecided(_ conflictId: Int64, at party: String) -> Bool { decided[party]?.contains(conflictId) == true }

    /// By replica, the titles of the objects that users have kept in decisions about removals.
    private var kept: [String: Set<String>] = [:]

    /// Records that a user of a replica keeps an object whose removal waited for a decision. The replica may create the
    /// object once more.
    mutating func keep(_ title: String, at party: String) {
        kept[party, default: []].insert(title)
        revive(title)
    }

    /// The titles of the objects that users of a replica have kept in decisions about removals.
    func keptTitles(at party: String) -> Set<String> { kept[party] ?? [] }

    /// Adds a write. If a user has dropped the create of its object meanwhile, the write counts as discarded: it may
    /// create an object without a title, which the check could not find.
    mutating func add(_ entry: Entry) {
        var entry = entry
        if droppedCreates[entry.party]?.contains(entry.title) == true { entry.isOverruled = true }
        entries.append(entry)
    }

    /// By replica, the titles of the objects whose creates were undone or given up.
    private var droppedCreates: [String: Set<String>] = [:]

    /// Marks all writes to an object by a replica's users as discarded.
    mutating func overrule(_ title: String, at party: String) { overrule(title, at: party) { _, _ in true } }

    /// Marks the writes that a pending change contains as discarded by a user.
    /// - Parameter seen: the number of ledger entries when the user read the pending change. Later writes of the object
    ///   are marked too, because they may have merged into it.
    mutating func overrule(_ step: PendingStep, of title: String, at party: String, seen: Int) {
        overrule(title, at: party) { index, operation in index >= seen || step.contains(operation) }
        guard step.kind == .create else { return }
        droppedCreates[party, default: []].insert(title)
        overrulePointers(to: title, at: party)
    }

    private mutating func overrule(
        _ title: String, at party: String, where isDiscarded: (_ index: Int, Operation) -> Bool
    ) {
        for index in entries.indices
        where entries[index].title == title && entries[index].party == party
            && isDiscarded(index, entries[index].operation)
        {
            entries[index].isOverruled = true
        }
    }

    /// Excludes the pointers to an object from the check, because its create was undone or given up. If another user's
    /// change then creates the object, the object has no title by which the check could find it.
    private mutating func overrulePointers(to target: String, at party: String) {
        for index in entries.indices where entries[index].party == party {
            if case .point(target, _) = entries[index].operation { entries[index].isOverruled = true }
        }
    }

    /// Excludes a replica's deletions of an object from the check, because a user of the replica has confirmed the
    /// removal of the object.
    mutating func confirmDeletion(_ title: String, at party: String) {
        overrule(title, at: party) { _, operation in operation == .delete }
    }

    /// Excludes all earlier file writes from the check, because the server has lost files.
    mutating func excuseFiles() {
        for index in entries.indices {
            if case .attach = entries[index].operation { entries[index].isOverruled = true }
        }
    }

    mutating func excuse(_ title: String) { excusedCounts[title] = entries.count }

    mutating func revive(_ title: String) { revivals[title, default: 0] += 1 }

    /// The titles of the objects that users of a replica deleted, with or without an acknowledgement.
    func deletedTitles(by party: String) -> Set<String> {
        Set(entries.lazy.filter { $0.party == party && $0.operation == .delete }.map(\.title))
    }

    /// The earliest of the given marks (unique texts in the array `log`) that users of a replica have added; nil if
    /// they have added none of them.
    func first(of marks: Set<String>, by party: String) -> String? {
        for entry in entries where entry.party == party {
            if case .count(let mark) = entry.operation, marks.contains(mark) { return mark }
        }
        return nil
    }

    /// Excludes the later writes to an object by a replica's users from the check, because the replica was restored
    /// from a backup that lacks them.
    /// - Parameter entries: the number of ledger entries at the time of the backup.
    mutating func overrule(_ title: String, at party: String, since entries: Int) {
        overrule(title, at: party) { index, _ in index >= entries }
    }

    /// Whether the server has ever held a value that a replica's users have written to a field, or a later value of
    /// theirs, which has replaced it.
    func isSent(_ value: String, in field: String, of title: String, by party: String, _ history: ServerHistory) -> Bool
    {
        var isAfter = false
        for entry in entries where entry.party == party && entry.title == title {
            guard case .set(field, let written) = entry.operation else { continue }
            isAfter = isAfter || written == value
            if isAfter, history.hasHeld(written, in: field, of: title) { return true }
        }
        return false
    }

    // MARK: The check

    /// Compares the writes with the server's history.
    /// - Parameters:
    ///   - live: for each title, the marks (unique texts) in the `log` of each object on the server at the end.
    ///   - recorded: the discarded values and deletions according to the replicas' conflict records.
    ///   - disputed: the titles of objects with a conflict about the fields `n` or `log`.
    ///   - mayHide: whether the server may return empty lists by mistake. Users may then keep an object that the server still
    ///     has. The replica creates such an object a second time, and this is no violation.
    ///   - assignsIds: whether the server assigns all ids.
    /// - Returns: a line for each acknowledged write that was lost, for each object that was created too often, and for each
    ///   object whose log contains a mark twice.
    func violations(
        against history: ServerHistory, live: [String: [Set<String>]], recorded: Set<Mention>,
        disputed: Set<String>, mayHide: Bool, assignsIds: Bool
    ) -> [String] {
        var lines: [String] = history.titlesWithDuplicateMarks.filter { !excused.contains($0) }.map {
            "\($0): the log contains a mark twice"
        }
        let deletions = Dictionary(
            entries.lazy.filter { $0.operation == .delete }.map { ($0.title, 1) }, uniquingKeysWith: +)
        for (title, count) in history.createCounts.sorted(by: { $0.key < $1.key }) {
            // The allowed number of creates is one, plus one for each decision to recreate the object, plus one for
            // each deletion: a creator whose create got no answer repeats the create after a deletion. If clients
            // choose the ids, the server may execute one deletion more than once, again after each repeated create.
            let deleted = (assignsIds ? deletions[title] : history.deleteCounts[title]) ?? 0
            guard !excused.contains(title), !(mayHide && revivals[title] != nil),
                count > 1 + (revivals[title] ?? 0) + deleted
            else { continue }
            lines.append("\(title) was created \(count) times")
        }
        for (index, entry) in entries.enumerated()
        where entry.isAcknowledged && !entry.isOverruled && index >= excusedCounts[entry.title, default: 0] {
            guard !isSuperseded(index), recorded.isDisjoint(with: entry.mentions),
                let line = violation(of: entry, history, live, disputed)
            else { continue }
            lines.append("acknowledged to \(entry.party) but lost: \(line)")
        }
        return lines
    }

    /// Whether a later write of the same party replaces this write, so that this write may never be sent.
    ///
    /// After a decision has recreated an object, its pointer counts as written at the time of the decision. A write of
    /// a pointer may therefore also replace a later one.
    func isSuperseded(_ index: Int) -> Bool {
        let entry = entries[index]
        return entries.indices.contains { other in
            let later = entries[other]
            guard later.party == entry.party, later.title == entry.title, other != index else { return false }
            if other < index {
                guard revivals[entry.title] != nil, case .point = entry.operation, case .point = later.operation
                else { return false }
            }
            switch (entry.operation, later.operation) {
            // A later edit revokes a deletion. Such an edit is possible while a conflict shows the deleted object again.
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

    /// Whether a deleted object may exist in several copies. There are two cases: its creator has repeated a create
    /// without an answer, and another party has recreated the object after a decision. Or, on a server that assigns
    /// ids, several parties have each recreated the object once after a decision.
    func mayBeRecreatedTwice(_ title: String, _ history: ServerHistory, assignsIds: Bool) -> Bool {
        let makers = history.makers[title] ?? []
        guard let revivals = revivals[title], entries.contains(where: { $0.title == title && $0.operation == .delete })
        else { return false }
        let creator = entries.first { $0.title == title && $0.operation == .create }?.party
        if makers.count(where: { $0 == creator }) > 1, makers.contains(where: { $0 != creator }) { return true }
        let recreators = makers.dropFirst()
        return assignsIds && recreators.count <= revivals && Set(recreators).count == recreators.count
    }

    /// Whether the mark of an increment (its text in `log`) may be missing because the object was created again. The
    /// new object has the `log` that the recreating party knew. It contains the party's own marks, unless the object
    /// was created more than twice or a conflict concerned `log`.
    private func mayLack(_ entry: Entry, _ history: ServerHistory, _ disputed: Set<String>) -> Bool {
        guard isRecreated(entry.title, history) else { return false }
        guard let makers = history.makers[entry.title], makers.count == 2, makers[1] == entry.party else { return true }
        return disputed.contains(entry.title)
    }

    private func violation(
        of entry: Entry, _ history: ServerHistory, _ live: [String: [Set<String>]], _ disputed: Set<String>
    ) -> String? {
        let title = entry.title
        switch entry.operation {
        case .point(let target, let id):
            if history.hasHeld(target, in: ServerHistory.pointerField, of: title) { return nil }
            // A pointer keeps the local id of its target if the target is deleted before the writer learns the target's
            // remote id. The target may exist again, because another party has recreated it after a restore or a
            // decision.
            let isGone = live[target] == nil || excused.contains(target) || revivals[target] != nil
            let isUnnamed = isGone && history.hasHeld(id, in: ServerHistory.pointerField, of: title)
            return isUnnamed ? nil : "\(title) was set to point to \(target); the server never had that pointer"
        case .attach(let content):
            return history.hasHeld(content, in: ServerHistory.fileField, of: title)
                ? nil : "\(title) was given a file with \(content); the server never had that file"
        // `relationViolations` checks relation members, and `incrementViolations` checks counters without `log`.
        case .relate, .increment: return nil
        case .create: return history.ids[title] == nil ? "\(title) was created; the server never had it" : nil
        case .set(let field, let value):
            return history.hasHeld(value, in: field, of: title)
                ? nil : "\(title).\(field) was set to \(value); the server never had that value"
        case .count(let mark):
            guard history.hasHeld(mark, in: "log", of: title) else {
                return "\(title) was incremented with the mark \(mark); the server never had that mark"
            }
            guard let logs = live[title], !mayLack(entry, history, disputed),
                !logs.contains(where: { $0.contains(mark) })
            else { return nil }
            return "\(title) was incremented with the mark \(mark); the server has lost that mark"
        case .delete:
            // If another party deletes the object before the creator has the answer to its create, the creator finds no
            // object and creates it again. The object then exists although the deletion was executed.
            let isMaker = entries.contains { $0.operation == .create && $0.title == title && $0.party == entry.party }
            // If a restored backup lacks the object, the creator may create it again under another id. A deletion of
            // the former id does not affect the new object.
            let isReplaced = excused.contains(title) && history.ids[title, default: []].count > 1
            let isExcused = isMaker ? revivals[title] != nil : isReplaced || isRecreated(title, history)
            return live[title] != nil && !isExcused ? "\(title) was deleted; the server still has it" : nil
        }
    }
}

extension Ledger.Entry {
    /// The forms in which a conflict record may show this write. It may show the target of a pointer by title or by id.
    var mentions: Set<Ledger.Mention> {
        guard case .point(_, let id) = operation else { return [mention] }
        return [
            mention, Ledger.Mention(party: party, title: title, what: "\(ServerHistory.pointerField)=\(id)"),
        ]
    }

    /// The usual form in which a conflict record shows this write. For a pointer, it has the title of the target.
    var mention: Ledger.Mention {
        let what =
            switch operation {
            case .set(let field, let value): "\(field)=\(value)"
            case .count(let mark): "log=\(mark)"
            case .increment: "n="
            case .create: "title=\(title)"
            case .delete: "deletion"
            case .point(let target, _): "\(ServerHistory.pointerField)=\(target)"
            case .attach(let content): "\(ServerHistory.fileField)=\(content)"
            case .relate: "\(ServerHistory.relationField)="
            }
        return Ledger.Mention(party: party, title: title, what: what)
    }
}

extension PendingStep {
    /// Whether discarding the pending change also discards this write: the change contains the write, or is the create
    /// of the object, on which all other writes depend.
    fileprivate func contains(_ operation: Ledger.Operation) -> Bool {
        switch (kind, operation) {
        case (.create, _), (.delete, .delete): true
        case (_, .create), (_, .delete): false
        case (_, .set(let field, _)): operations[field] != nil
        case (_, .point): operations[ServerHistory.pointerField] != nil
        case (_, .relate): operations[ServerHistory.relationField] != nil
        case (_, .attach): operations[ServerHistory.fileField] != nil
        case (_, .increment): operations["n"] != nil
        case (_, .count(let mark)): operations["log"]?.json.jsonText.contains("\"\(mark)\"") == true
        }
    }
}
