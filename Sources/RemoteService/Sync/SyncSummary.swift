import ParseModel

/// The results of a sync.
package struct SyncSummary: Sendable, Hashable {
    package struct Class: Sendable, Hashable {
        package var pulled = 0
        package var pushed = 0
        package var removed = 0
        /// The number of objects that were removed locally because they match none of the class's pulls. They stay on
        /// the remote.
        package var released = 0
        /// The number of new conflicts that wait for a user's decision.
        package var conflicts = 0
        /// The number of conflicts that were resolved automatically and recorded.
        package var settled = 0
        package var rejections = 0
        /// The number of objects whose removal waits for a user's decision.
        package var heldBack = 0
        /// The number of objects that an audit updated because the pulls had missed their changes.
        package var repaired = 0

        package init() {}

        /// The counts that are added up over several syncs. `heldBack` is not among them, because each sync counts all
        /// such objects again.
        fileprivate static var counts: [WritableKeyPath<Class, Int>] {
            [\.pulled, \.pushed, \.removed, \.released, \.conflicts, \.settled, \.rejections, \.repaired]
        }
    }

    package var classes: [String: Class] = [:]
    package var requests = 0
    /// The number of uploaded files.
    package var uploaded = 0
    package var duration: Duration = .zero
    /// The time of the end of the sync; nil before it.
    package var endedAt: ParseDate?
    /// The number of changes and files that a later sync tries to send.
    package var deferred = 0
    /// Whether members of relations remain unread. Another sync reads them.
    package var relationsLeft = false
    /// Whether a second read must still confirm that an object is missing on the remote.
    package var absencesLeft = false
    /// A sentence for each change on which the remote failed, with the remote's message. A later sync finds out whether
    /// the change was executed, or sends it again.
    package var failing: [String] = []
    /// The classes whose pulls have failed, with the error of each. A pull that the remote refuses because of missing
    /// permissions has not failed. Nil for a sync without pulls.
    package var failedPulls: [String: String]?
    /// Problems that did not end the sync, for example with single classes, changes or files.
    package var warnings: [String] = []

    package init() {}

    package var pulled: Int { sum(\.pulled) }
    package var pushed: Int { sum(\.pushed) }
    package var removed: Int { sum(\.removed) }
    package var released: Int { sum(\.released) }
    package var conflicts: Int { sum(\.conflicts) }
    package var settled: Int { sum(\.settled) }
    package var rejections: Int { sum(\.rejections) }
    package var heldBack: Int { sum(\.heldBack) }
    package var repaired: Int { sum(\.repaired) }

    private func sum(_ figure: KeyPath<Class, Int>) -> Int { classes.values.reduce(0) { $0 + $1[keyPath: figure] } }

    /// The progress from an earlier state of this sync to this one, as text: `12 Holiday pulled, 3 requests`. Empty if
    /// nothing changed.
    package func since(_ before: SyncSummary) -> String {
        let figures: [(KeyPath<Class, Int>, String)] = [
            (\.pulled, "pulled"), (\.pushed, "pushed"), (\.removed, "removed"), (\.released, "released"),
            (\.conflicts, "in conflict"),
            (\.settled, "settled"), (\.rejections, "refused"), (\.heldBack, "held back"), (\.repaired, "repaired"),
        ]
        var words: [String] = []
        for (name, figure) in classes.sorted(by: { $0.key < $1.key }) {
            for (path, word) in figures {
                let news = figure[keyPath: path] - (before.classes[name]?[keyPath: path] ?? 0)
                if news > 0 { words.append("\(news) \(name) \(word)") }
            }
        }
        if uploaded > before.uploaded { words.append("\(uploaded - before.uploaded) files sent") }
        guard !words.isEmpty else { return "" }
        return (words + ["\(requests - before.requests) requests"]).joined(separator: ", ")
    }

    /// Combines the results of this sync with those of a later sync that continued this one.
    package func followed(by later: SyncSummary) -> SyncSummary {
        var both = later
        for (name, figures) in classes {
            both.note(name) { later in
                for path in Class.counts { later[keyPath: path] += figures[keyPath: path] }
            }
        }
        both.requests += requests
        both.uploaded += uploaded
        both.duration += duration
        both.failedPulls = later.failedPulls ?? failedPulls
        both.warnings = warnings + later.warnings.filter { !warnings.contains($0) }
        return both
    }

    package mutating func note(_ className: String, _ change: (inout Class) -> Void) {
        change(&classes[className, default: Class()])
    }
}

/// The end of a requested sync.
package enum SyncOutcome: Sendable {
    case finished(SyncSummary)
    case failed(SyncError)
    case paused
}
