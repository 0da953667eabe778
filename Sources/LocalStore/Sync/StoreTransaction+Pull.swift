import GRDB
import ParseModel
import StoreService
import SyncModel

/// Taking in what the remote has.
extension StoreTransaction {
    /// - Parameter scope: the pull that has brought the changes; nil where they were read for another reason.
    func apply(
        _ changes: [RemoteChange], of className: String, by scope: PullScope? = nil, rebase: Rebase
    ) throws -> PullTally {
        var tally = PullTally()
        let kept = try keptFields(of: className)
        if scope == nil, !changes.isEmpty { try expectStrays(in: className) }
        var page = Page(
            hasAliases: try hasAliases(of: className), secondCopies: try secondCopies(of: className))
        for change in changes {
            switch change {
            case .upsert(let record):
                let row = try kept.merged(record, from: scope, in: db)
                tally += try take(row, in: &page, rebase: rebase)
                if kept.opField != nil { try noteMarks(of: row) }
                if let scope, !scope.isWholeClass { try join([record.objectId], scope.id) }
            case .tombstone(_, let objectId): tally += try takeAbsence(of: objectId, in: className, rebase: rebase)
            }
        }
        try count(className, bases: page.newCount, views: page.newCount)
        if !changes.isEmpty { try forgetSkipped(among: changes, of: className) }
        return tally
    }

    /// Moves the pull's cursor, in the same transaction as the rows that it speaks of.
    func moveCursor(of pull: PullId, to cursor: PullCursor?, began: ParseDate, isLast: Bool) throws {
        let times =
            isLast
            ? """
            audited_at = coalesce(audited_at, ?2), recently_audited_at = coalesce(recently_audited_at, ?2),
            complete_since = ?2, began = NULL
            """ : "began = coalesce(began, ?2)"
        try execute(
            "UPDATE pulls SET cursor = coalesce(?1, cursor), refusal = NULL, \(times) WHERE class = ?3 AND name = ?4",
            [cursor?.text, began.milliseconds, pull.className, pull.name])
    }

    /// What is known of rows that come together.
    private struct Page {
        /// Whether there are aliases for objects of the class: asking that for each row took longer.
        let hasAliases: Bool
        /// Objects that are hidden, because a question is open whether they were made here.
        let secondCopies: Set<String>
        /// Objects that were not here before, and are still to be added to the class's count.
        var newCount = 0
    }

    /// A row as the remote has it now. Most objects have no pending work: for them the row is the view.
    private func take(_ record: RemoteRecord, in page: inout Page, rebase: Rebase) throws -> PullTally {
        var tally = PullTally()
        let text = record.jsonText
        let find = try db.cachedStatement(
            sql: """
                SELECT pk, view, is_provisional, state, base_kind, version, created_at FROM objects
                WHERE class = ? AND id = ?
                """)
        let known = try find.firstRow([record.className, record.objectId]) { row in
            (
                key: row.integer(0), view: row.textIfAny(1), isProvisional: row.bool(2),
                isSynced: row.integer(3) == SyncState.synced.rawValue && row.integer(4) == 1,
                version: row.textIfAny(5), createdAt: row.integer(6)
            )
        }
        guard let known else {
            if page.secondCopies.contains(record.objectId) {
                try insertSecondCopy(record)
                tally.upserted = 1
                return tally
            }
            try insert(record, text, in: &page)
            tally.upserted = 1
            return tally
        }
        guard known.isSynced else {
            return try rebaseObject(record.objectId, of: record.className, on: record, rebase)
        }
        if known.view == text {
            if known.isProvisional || known.version != record.version {
                try execute(
                    "UPDATE objects SET is_provisional = 0, version = ? WHERE pk = ?",
                    [record.version, known.key])
                try noteNews(of: record)
            }
            tally.unchanged = 1
            return tally
        }
        try execute(
            "UPDATE objects SET view = ?, updated_at = ?, is_provisional = 0, version = ? WHERE pk = ?",
            [text, record.updatedAt.milliseconds, record.version, known.key])
        // Hardly ever; and an index is made of it.
        if known.createdAt != record.createdAt.milliseconds {
            try execute("UPDATE objects SET created_at = ? WHERE pk = ?", [record.createdAt.milliseconds, known.key])
        }
        if let view = known.view { past.note(record.className, record.objectId, view) }
        try noteNews(of: record)
        try appendChange(record.className, record.objectId, .update)
        tally.upserted = 1
        return tally
    }

    /// The object was not here before.
    private func insert(_ record: RemoteRecord, _ text: String, in page: inout Page) throws {
        // An object that was made again under another id has not taken this one over for good.
        if page.hasAliases {
            try execute("DELETE FROM aliases WHERE class = ? AND alias = ?", [record.className, record.objectId])
        }
        try execute(
            """
            INSERT INTO objects (class, id, view, created_at, updated_at, base_kind, version)
            VALUES (?, ?, ?, ?, ?, 1, ?)
            """,
            [
                record.className, record.objectId, text, record.createdAt.milliseconds,
                record.updatedAt.milliseconds, record.version,
            ])
        page.newCount += 1
        try noteNews(of: record, isNew: true)
        try appendChange(record.className, record.objectId, .create)
    }

    /// The object was not here before, and is kept without being shown.
    private func insertSecondCopy(_ record: RemoteRecord) throws {
        var copy = LocalObject(className: record.className, objectId: record.objectId)
        copy.base = record.state
        copy.isSecondCopy = true
        copy.replay()
        try copy.save(in: self)
        try noteNews(of: record, isNew: true)
    }

    /// The row is news: so may be who belongs to its relations, and which files it carries.
    func noteNews(of record: RemoteRecord, isNew: Bool = false) throws {
        try expectMembers(of: record, isNew: isNew)
        try noteFiles(of: record)
    }

    /// The object is not on the remote.
    func takeAbsence(of objectId: String, in className: String, rebase: Rebase) throws -> PullTally {
        try rebaseObject(objectId, of: className, on: nil, rebase)
    }

    private func rebaseObject(
        _ objectId: String, of className: String, on record: RemoteRecord?, _ rebase: Rebase
    ) throws -> PullTally {
        var tally = PullTally()
        guard var object = try LocalObject(className, objectId, in: db) else { return tally }
        if record != nil { try endQuestionOfRemake(&object) }
        let news = News(remote: record?.state, base: object.base, local: object.view)
        if let record { try settleBesideTheQuestion(&object, record, news, rebase) }
        if let record, object.isSecondCopy { try updateQuestions(about: record) }
        let sent = try sentCreate(of: object)
        let verdict = record.flatMap { sent?.verdict(on: $0) }
        switch try action(for: object, record, rebase) {
        case .keep: return tally
        case .remove:
            try closeConflicts(of: &object, resolution: "remote")
            try object.dropAllSteps(in: self)
            object.base = nil
            tally.removed = 1
        case .replay:
            // News that leave nothing to decide close what was open, unless that is about a request of ours.
            if try !isHeldByOwnRequest(object) {
                try closeConflicts(of: &object, resolution: "superseded")
            } else if news.remote != nil {
                // The answer depends on what sending it again would overwrite.
                try updateConflict(of: object, fields: [], remote: news.remote)
            }
            try advance(&object, to: news, verdict, &tally)
        case .settle(let kind, let fields, let side):
            try settleByPolicy(&object, kind, fields, by: side, news)
            tally.settled = 1
            if news.remote == nil, side == .remote {
                tally.removed = 1
            } else {
                try advance(&object, to: news, verdict, &tally)
            }
        case .openConflict(.ambiguousCreate, _):
            try hold(&object, at: 0, .ambiguousCreate, remote: record, rebase)
            tally.conflicts = 1
        case .openConflict(let kind, let fields):
            if let remote = news.remote {
                object.base = remote
                try adoptCreate(in: &object, verdict)
            }
            if try openConflictKind(of: object) == kind {
                try updateConflict(of: object, fields: fields, remote: news.remote)
            } else {
                try closeConflicts(of: &object, resolution: "superseded")
                try object.setPhase(.held, in: self)
                try recordConflict(
                    kind, of: object, fields: fields, base: news.base, local: news.local, remote: news.remote)
                tally.conflicts = 1
            }
        }
        if let record, object.baseIsProvisional || news.base?.updatedAt != record.updatedAt {
            try noteNews(of: record)
        }
        object.baseIsProvisional = false
        object.replay()
        try object.save(in: self)
        return tally
    }

    /// What was known of an object, and what has come.
    struct News {
        let remote: ObjectState?
        let base: ObjectState?
        let local: ObjectState?
    }

    /// The row becomes the base.
    private func advance(
        _ object: inout LocalObject, to news: News, _ verdict: SentCreate.Verdict?, _ tally: inout PullTally
    ) throws {
        guard let remote = news.remote else { return }
        object.base = remote
        try adoptCreate(in: &object, verdict)
        if news.base == remote { tally.unchanged = 1 } else { tally.upserted = 1 }
    }

    private func action(
        for object: LocalObject, _ record: RemoteRecord?, _ rebase: Rebase
    ) throws -> RebaseAction {
        if object.steps.isEmpty { return record == nil ? .remove : .replay }
        if try isHeldByOwnRequest(object) { return record == nil ? .keep : .replay }
        let situation = ObjectSituation(
            className: object.className, objectId: object.objectId,
            policy: try classOptions(of: object.className).policy, base: object.base,
            baseIsProvisional: object.baseIsProvisional, steps: object.steps.map(\.step),
            openConflict: try openConflictKind(of: object), sentCreate: try sentCreate(of: object))
        return rebase(situation, record)
    }

    /// While it is asked whether a request was applied, the row goes on becoming the base. Where what was done here since
    /// disagrees with it, that is settled and recorded without another question.
    func settleBesideTheQuestion(
        _ object: inout LocalObject, _ record: RemoteRecord, _ news: News, _ rebase: Rebase
    ) throws {
        guard try isHeldByOwnRequest(object), let asked = object.steps.firstIndex(where: \.step.wasAttempted) else {
            return
        }
        var later = object.steps.map(\.step)
        later.remove(at: asked)
        guard !later.isEmpty else { return }
        let situation = ObjectSituation(
            className: object.className, objectId: object.objectId,
            policy: try classOptions(of: object.className).policy, base: object.base,
            baseIsProvisional: object.baseIsProvisional, steps: later, openConflict: nil)
        let (fields, side): ([String], RebaseAction.Side)
        switch rebase(situation, record) {
        case .settle(.fields, let disputed, let winner): (fields, side) = (disputed, winner)
        case .openConflict(.fields, let disputed): (fields, side) = (disputed, .local)
        default: return
        }
        try recordConflict(
            .fields, of: object, fields: fields, base: news.base, local: news.local, remote: news.remote,
            resolution: side.rawValue)
        if side == .remote { try dropOperations(on: fields, of: &object, keeping: object.steps[asked].seq) }
    }

    /// A row for an object that waits to be created: a create that was sent has arrived, and is done. Where the row may be
    /// another's (the object is made again after a removal, and somebody else was faster), what it lacks goes on as an update.
    /// - Parameter verdict: whose the row is.
    func adoptCreate(in object: inout LocalObject, _ verdict: SentCreate.Verdict?) throws {
        guard let base = object.base, let create = object.steps.first?.step, create.kind == .create else { return }
        if create.phase == .held, try openConflictKind(of: object) == .ambiguousCreate {
            guard verdict == .own else { return }
            // The row answers the question about the create.
            try closeConflicts(of: &object, resolution: "applied")
        }
        if verdict == .own {
            try object.dropProvenStep(at: 0, in: self)
            return
        }
        let wanted = Replay.view(base: base, steps: [create], className: object.className)
        let relations = create.operations.onlyRelations
        for field in create.operations.fields where relations[field] == nil {
            guard (wanted?.fields[field] ?? .null) == (base.fields[field] ?? .null) else { continue }
            object.steps[0].step.operations[field] = nil
        }
        if object.steps[0].step.operations.isEmpty {
            try object.dropStep(at: 0, in: self)
        } else {
            object.steps[0].step.kind = .update
            object.steps[0].step.wasAttempted = false
            try object.saveStep(at: 0, in: self)
        }
    }
}
