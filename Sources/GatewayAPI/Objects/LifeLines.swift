import ParseModel
import RemoteService
import StoreService
import SyncModel

/// The life of one object in plain lines, from the facts that a store keeps. What the store does not keep is named as
/// unknown. Has no side effects.
package struct LifeLines: Sendable {
    /// A line about the object.
    package struct Line: Sendable, Hashable {
        package enum Kind: String, Sendable {
            case created, pulled, changed, waiting, sent, refused, conflict, decided, removal, pull, notShown, state
            case unknown
        }

        /// The time of the fact, by the local clock unless the text says otherwise; nil if it has or keeps no time.
        package let at: ParseDate?
        package let kind: Kind
        package let text: String

        package init(_ at: ParseDate?, _ kind: Kind, _ text: String) {
            (self.at, self.kind, self.text) = (at, kind, text)
        }
    }

    /// The state of the syncs, which decides when waiting changes are sent.
    package enum Syncs: Sendable, Hashable {
        /// The gateway has no remote.
        case none
        /// The gateway does not run.
        case stopped
        case paused
        /// The remote does not answer.
        case offline(message: String?)
        /// Syncs fail although the remote answers.
        case failing(message: String)
        case running

        package init(_ status: SyncStatus) {
            self =
                if status.state == .paused {
                    .paused
                } else if let message = status.pushPausedBecause {
                    .failing(message: message)
                } else if !status.isOnline {
                    .offline(message: status.lastError)
                } else {
                    .running
                }
        }
    }

    private let history: ObjectHistory
    private let syncs: Syncs
    private let isDamaged: Bool
    private let readersOfClass: [String]?

    /// - Parameters:
    ///   - isDamaged: whether the stored JSON of the object is unreadable.
    ///   - readersOfClass: the users, roles and pointer fields that the permissions of the class allow to read an object
    ///     by its id; nil if everybody may, or if the permissions are unknown.
    package init(
        _ history: ObjectHistory, _ syncs: Syncs, isDamaged: Bool = false, readersOfClass: [String]? = nil
    ) {
        self.history = history
        self.syncs = syncs
        self.isDamaged = isDamaged
        self.readersOfClass = readersOfClass
    }

    private var hasRemote: Bool { syncs != .none }
    private var object: Pointer { history.object }

    /// The lines with a time in the order of time, then the others.
    package var lines: [Line] {
        let all = created + feed + steps + conflicts + removal + notShown + rights + pulls + ids + unknown
        let dated = all.enumerated().filter { $0.element.at != nil }.sorted {
            ($0.element.at?.milliseconds ?? 0, $0.offset) < ($1.element.at?.milliseconds ?? 0, $1.offset)
        }
        return dated.map(\.element) + all.filter { $0.at == nil }
    }

    /// The answer to a request with `_why=true`.
    package var json: JSONObject {
        [
            "className": .string(object.className), "objectId": .string(object.objectId),
            "lines": .array(
                lines.map { line in
                    [
                        "at": line.at.map { .string($0.iso) } ?? .null, "kind": .string(line.kind.rawValue),
                        "text": .string(line.text),
                    ]
                }),
        ]
    }

    // MARK: The beginning, and the changes

    private var created: [Line] {
        if let create = history.steps.first(where: { $0.change.kind == .create })?.change {
            return [Line(create.madeAt, .created, "Created here by \(create.author.words).")]
        }
        guard let row = history.row else { return [] }
        return [
            Line(row.createdAt, .created, "Created, by the object's createdAt. The file does not keep by whom.")
        ]
    }

    private var feed: [Line] {
        guard let changes = history.changes else { return [] }
        return changes.enumerated().compactMap { place, change in
            switch change.kind {
            case .create where place == 0 && !history.lacksEarlierChanges: first(change)
            case .create: Line(change.at, .changed, "Shown to clients.")
            case .update: Line(change.at, .changed, "Changed by a client\(hasRemote ? " or by a pull" : "").")
            case .delete: Line(change.at, .changed, "Deleted, or no longer shown to clients.")
            }
        }
    }

    /// The line about the first entry of the object in the change feed; nil if another line tells the beginning.
    private func first(_ change: ObjectHistory.Change) -> Line? {
        guard hasRemote, !history.steps.contains(where: { $0.change.kind == .create }) else { return nil }
        return history.row?.wasAcknowledged == false
            ? Line(change.at, .pulled, "Pulled from the remote for the first time.")
            : Line(change.at, .changed, "Stored here for the first time, by a client or by a pull.")
    }

    // MARK: Changes that the remote has not acknowledged

    private var steps: [Line] {
        history.steps.enumerated().flatMap { place, step -> [Line] in
            let change = step.change
            var lines: [Line] = []
            if change.kind != .create {
                lines.append(Line(change.madeAt, .waiting, "\(step.words) by \(change.author.words) was stored here."))
            }
            if let attemptedAt = step.attemptedAt {
                let error = change.error.map { " The last answer was: \($0.withFullStop)" } ?? ""
                // The clock of the remote may be behind, and shows whole seconds.
                lines.append(
                    Line(
                        max(attemptedAt, change.madeAt), .sent,
                        "\(step.words) was sent for the first time (time of the remote). Attempts: \(change.attempts)."
                            + (change.phase == .rejected ? "" : error)))
            }
            return lines + [present(step, isFirst: place == 0)]
        }
    }

    /// The line about the present phase of a change.
    private func present(_ step: ObjectHistory.Step, isFirst: Bool) -> Line {
        let change = step.change
        switch change.phase {
        case .rejected:
            let code = change.code.map { " (code \($0))" } ?? ""
            return Line(
                nil, .refused,
                "\(step.words) was refused: \(change.error ?? "no message")\(code). The file does not keep when. POST "
                    + "/sync/rejections/\(change.id)/retry sends it again, DELETE /sync/rejections/\(change.id) gives it up."
            )
        case .held:
            return Line(nil, .waiting, "\(step.words) waits for the decision about the conflict.")
        case .inFlight: return Line(nil, .waiting, "\(step.words) is being sent.")
        case .unknown, .pending:
            return Line(nil, .waiting, "\(step.words) waits. \(reason(of: change, isFirst: isFirst))")
        }
    }

    private func reason(of change: WaitingChange, isFirst: Bool) -> String {
        guard isFirst else { return "An earlier change of the object goes first." }
        let reason = WaitReason(of: change, WaitReason.Syncs(), waitsForLogIn: false)
        guard reason == .unexplained else { return "\(reason.text) \(reason.wayOut(of: change))" }
        return switch syncs {
        case .none, .running: "The next sync sends it, unless its author has to log in first."
        case .stopped: "The gateway does not run."
        case .paused: "Syncing is paused. POST /sync/resume resumes it."
        case .offline(let message):
            "The remote does not answer\(message.map { ": \($0.withFullStop)" } ?? ".") It is sent when the remote answers again."
        case .failing(let message): "Syncs fail: \(message.withFullStop)"
        }
    }

    // MARK: Decisions

    private var conflicts: [Line] {
        history.conflicts.flatMap { conflict -> [Line] in
            let found = "Conflict: \(conflict.words)"
            guard let resolution = conflict.resolution, let resolvedAt = conflict.resolvedAt else {
                return [Line(conflict.foundAt, .conflict, "\(found) It waits for a decision: GET /sync/conflicts.")]
            }
            // The policy decides a conflict at the moment in which it is found.
            guard resolvedAt != conflict.foundAt else {
                let policy = history.syncing.map { " (now \($0.policy.rawValue))" } ?? ""
                return [
                    Line(
                        conflict.foundAt, .decided,
                        "\(found) The policy of the class\(policy) decided for: \(resolution).")
                ]
            }
            return [
                Line(conflict.foundAt, .conflict, found),
                Line(resolvedAt, .decided, "The conflict was decided: \(resolution)."),
            ]
        }
    }

    private var removal: [Line] {
        guard let removal = history.removal else { return [] }
        return [
            Line(
                removal.foundAt, .removal,
                "\(removal.words) Its removal waits for a decision: GET /sync/removals lists it.")
        ]
    }

    // MARK: Why it is not shown

    private var notShown: [Line] {
        guard let row = history.row else { return [Line(nil, .notShown, absence)] }
        if isDamaged { return [Line(nil, .notShown, "Its stored JSON is damaged and cannot be read.")] }
        guard !row.isShown else { return standing(of: row) }
        if row.isWithheld {
            let reason =
                history.removal == nil
                ? "the remote refuses to list the class, or no longer shows the object"
                : "its removal waits for a decision"
            return [Line(nil, .notShown, "It is kept in the file and not shown: \(reason).")]
        }
        if history.steps.contains(where: { $0.change.kind == .delete }) {
            return [Line(nil, .notShown, "It was deleted here. The remote has not acknowledged the deletion.")]
        }
        return [
            Line(
                nil, .notShown,
                "It is not shown: it was deleted here, or a conflict asks whether it is the result of another object's create."
            )
        ]
    }

    private var absence: String {
        var text = "The file has no object with this id."
        guard hasRemote else { return text }
        guard let syncing = history.syncing else { return text + " The class is not under sync." }
        if !syncing.pulls.isEmpty, !syncing.pulls.contains(where: \.isWholeClass) {
            text += " The pulls of the class fetch only a part of it. An object that matches none of them is not kept."
        }
        if syncing.pulls.contains(where: { $0.completeSince == nil }) {
            text += " The class has not been pulled completely yet."
        }
        return text
    }

    private func standing(of row: ObjectHistory.Row) -> [Line] {
        guard hasRemote else { return [] }
        let text: String? =
            switch row.standing {
            case nil: history.steps.isEmpty ? nil : "The remote is not known to have it."
            case .gone: "The remote has deleted it."
            case .hidden:
                "The remote has acknowledged it and does not show it to this gateway, for example because of its ACL."
            case .unshown: "The remote has acknowledged it and has not shown it yet."
            case .edited, .acknowledged: "The remote has acknowledged the last change and has not shown it yet."
            case .shown: history.steps.isEmpty ? "It equals the remote's object as it was last pulled." : nil
            }
        return text.map { [Line(nil, .state, $0)] } ?? []
    }

    private var rights: [Line] {
        var lines: [Line] = []
        if let readers = history.row?.readers, !readers.contains("*") {
            lines.append(
                Line(
                    nil, .notShown,
                    "By its ACL, only \(Self.list(readers)) may read it. For others it does not exist (code 101)."))
        }
        if let readersOfClass {
            lines.append(
                Line(nil, .notShown, "By the permissions of the class, only \(Self.list(readersOfClass)) may read it."))
        }
        return lines
    }

    /// The names, at most 20 of them, as text.
    private static func list(_ names: [String]) -> String {
        guard !names.isEmpty else { return "the master key" }
        let shown = names.prefix(20).joined(separator: ", ")
        return names.count > 20 ? "\(shown) and \(names.count - 20) more" : shown
    }

    // MARK: Pulls and ids

    private var pulls: [Line] {
        guard hasRemote, let syncing = history.syncing else { return [] }
        var lines = syncing.pulls.compactMap { pull -> Line? in
            if let refusal = pull.refusal {
                return Line(
                    nil, .notShown, "The remote refuses the pull \(pull.name) of the class: \(refusal.withFullStop)")
            }
            guard pull.hasObject else { return nil }
            let time = pull.completeSince.map { "whose last complete run began at \($0.iso) (time of the remote)" }
            return Line(
                nil, .pull, "It belongs to the pull \(pull.name), \(time ?? "which has not been complete yet").")
        }
        if syncing.pulls.isEmpty {
            lines.append(Line(nil, .pull, "The class is not pulled. Only local changes are sent."))
        }
        if let reason = syncing.stoppedBecause {
            lines.append(Line(nil, .notShown, "The pulls of the class have stopped: \(reason.withFullStop)"))
        }
        if let reason = history.skippedBecause {
            lines.append(Line(nil, .notShown, "The last pulls have skipped it: \(reason.withFullStop)"))
        }
        return lines
    }

    private var ids: [Line] {
        history.earlierIds.map {
            Line(
                nil, .state,
                "Its id here was \($0) until the remote gave it the id \(object.objectId). Both ids find it.")
        }
    }

    // MARK: Unknown facts

    private var unknown: [Line] {
        var lines: [Line] = []
        if history.changes == nil {
            lines.append(Line(nil, .unknown, "Earlier changes are shown only with the master key."))
        } else if history.lacksEarlierChanges {
            lines.append(
                Line(
                    nil, .unknown,
                    "Earlier changes are unknown: the file keeps the last 100,000 changes of all objects, for at most 30 days, "
                        + "and this list has at most \(ObjectHistory.changesMax)."))
        }
        if history.changes?.isEmpty == false, !hasRemote || history.row?.standing != nil || history.row == nil {
            lines.append(
                Line(
                    nil, .unknown,
                    hasRemote
                        ? "Unknown for changes that the remote has: who made them, which fields they set, and what the remote answered."
                        : "Unknown for each change: who made it, and which fields it set."))
        }
        return lines
    }
}
