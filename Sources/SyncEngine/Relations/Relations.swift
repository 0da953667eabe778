import ParseModel
import RemoteService
import SyncModel

/// Reads the members of relations. A row shows only that its object has a relation, and not the members. After a row
/// has changed, the members of its relations are therefore read separately: by a `RelationSurvey` if many relations of
/// a field must be read, otherwise object by object. A sync reads relations after its pushes, for a limited time. If
/// relations remain, the engine starts another sync.
struct Relations {
    /// The maximum number of surveyed relations that are stored in one transaction.
    private static let storedMax = 500

    private let context: SyncContext
    private let service: any RemoteRelationService
    private let reader: MemberReader
    private var reading: RelationReading
    /// The uptime at which this sync stops reading relations.
    private let ends: Duration

    /// - Parameter reading: the unfinished reading of an earlier sync, or a new one.
    private init(_ context: SyncContext, _ service: any RemoteRelationService, _ reading: RelationReading) {
        self.context = context
        self.service = service
        self.reading = reading
        reader = MemberReader(context, service)
        ends = context.environment.uptime() + context.options.relationSlice
    }

    private var store: StoreCalls { context.store }
    private var remote: RemoteReader { context.remote }

    /// Reads the members of relations for a limited time.
    /// - Parameter memory: the unfinished reading, from an earlier sync and for the next sync; nil for none.
    /// - Returns: whether relations remain for the next sync.
    static func run(_ context: SyncContext, _ memory: inout RelationReading?) async throws(SyncError) -> Bool {
        guard let service = context.remote.relations, context.classes.sorted.contains(where: \.isPulled) else {
            return false
        }
        let now = try await context.remote.serverNow()
        var relations = Relations(context, service, memory ?? RelationReading(began: now))
        // After an error, the next sync starts a new reading, except after an error that interrupted a survey: then it
        // continues.
        memory = nil
        try await relations.read(interrupted: &memory)
        // Relations of rows that changed during this reading are left to the next one.
        guard try await relations.areLeft() else { return false }
        memory = relations.reading
        return true
    }

    /// Reads the relations whose rows have changed, field by field, until the time limit (`ends`) is reached or the
    /// sync must end.
    /// - Parameter interrupted: receives the reading if an error ends the sync during a survey.
    private mutating func read(interrupted: inout RelationReading?) async throws(SyncError) {
        for waiting in try await waitingRelations() {
            if waiting.count <= context.options.relationsReadSinglyMax || reading.isUnsurveyable(waiting.column) {
                try await readSingly(waiting.column)
            } else {
                try await survey(waiting, interrupted: &interrupted)
            }
            if isOver { break }
        }
    }

    private func areLeft() async throws(SyncError) -> Bool {
        try await waitingRelations().contains { $0.since < reading.began && !reading.isPostponed($0.column) }
    }

    private var isOver: Bool { context.environment.uptime() >= ends || remote.isHalted }

    private func waitingRelations() async throws(SyncError) -> [WaitingRelations] {
        let began = reading.began
        return try await store { try await $0.waitingRelations(before: began) }
    }

    private func relations(of column: RelationField, limit: Int) async throws(SyncError) -> [RelationPull] {
        let began = reading.began
        return try await store { try await $0.relationsToPull(of: column, limit: limit, before: began) }
    }

    private func report(_ column: RelationField) {
        context.reporter.progress(.relations, of: column.className, done: reading.done)
    }

    private mutating func readSingly(_ column: RelationField) async throws(SyncError) {
        repeat {
            let relations = try await relations(of: column, limit: remote.batchMax)
            guard !relations.isEmpty else { return }
            report(column)
            try await reader.read(relations)
            reading.done += relations.count
        } while !isOver
    }

    // MARK: Survey of a relation field

    private mutating func survey(
        _ waiting: WaitingRelations, interrupted: inout RelationReading?
    ) async throws(SyncError) {
        let column = waiting.column
        if reading.survey?.column != column {
            reading.survey = RelationSurvey(column, waiting: waiting.count, began: try await remote.serverNow())
        }
        do {
            guard try await advance() else { return }
        } catch {
            guard error.isOfOneClass else {
                // Keeps the reading, so that the next sync continues its survey.
                interrupted = reading
                throw error
            }
            reading.survey = nil
            guard case .refused = error else {
                context.reporter.warn("Relations of \(column.className) cannot be pulled: \(error.message)")
                reading.postpone(column)
                return
            }
            reading.noteUnsurveyable(column)
        }
        guard let survey = reading.survey else {
            try await readSingly(column)
            return
        }
        try await storeSurvey(survey)
    }

    /// Continues the survey until it is complete or abandoned, or until this sync must stop reading.
    /// - Returns: false if this sync must stop reading.
    private mutating func advance() async throws(SyncError) -> Bool {
        guard var survey = reading.survey else { return true }
        let column = survey.column
        while true {
            report(column)
            switch survey.next(batchMax: remote.batchMax) {
            case .listMembers(let after): survey.takeMembers(try await members(of: column, after: after))
            case .listMembersAgain(let after):
                try await ObjectLookup(context).requireCanaries(of: column.memberClass)
                survey.takeMembers(try await members(of: column, after: after))
            case .ask(let requests): survey.receive(try await owners(requests))
            case .askAgain(let requests):
                try await ObjectLookup(context).requireCanaries(of: column.className)
                survey.receive(try await owners(requests))
            case .complete:
                reading.survey = survey
                return true
            case .pointless:
                reading.survey = nil
                reading.noteUnsurveyable(column)
                return true
            }
            reading.survey = survey
            if isOver { return false }
        }
    }

    private func members(of column: RelationField, after last: String?) async throws(SyncError) -> ObjectStampPage {
        let query = PullQuery(className: column.memberClass)
        return try await remote.ask { remote throws(RemoteError) in
            try await remote.objectIds(of: query, created: .all, after: last)
        }
    }

    private func owners(_ requests: [OwnersRequest]) async throws(SyncError) -> [OwnersPage] {
        try await remote.ask { _ throws(RemoteError) in try await service.owners(requests) }
    }

    /// Stores the survey's results for the waiting relations of the field. The survey's lists may be incomplete, so three kinds
    /// of relations are read object by object instead: relations of owners in `singles`, relations whose row may have changed
    /// since the survey began, and relations that would lose members. Ends when this sync must stop reading.
    private mutating func storeSurvey(_ survey: RelationSurvey) async throws(SyncError) {
        let overlap = context.options.overlap
        repeat {
            let relations = try await relations(of: survey.column, limit: Self.storedMax)
            guard !relations.isEmpty else {
                reading.survey = nil
                return
            }
            report(survey.column)
            let surveyed = relations.filter { relation in
                !survey.singles.contains(relation.owner.objectId)
                    && relation.updatedAt.map { $0 < survey.began } == true
            }
            let lists = surveyed.map { BaseMembers($0, memberIds: survey.members(of: $0.owner.objectId)) }
            let losing = try await store { try await $0.ownersLosingMembers(by: lists) }
            let taken = lists.filter { !losing.contains($0.owner) }
            try await store { try await $0.setBaseMembers(taken, at: survey.began, overlap: overlap) }
            let owners = Set(taken.map(\.owner))
            var rest = relations.filter { !owners.contains($0.owner) }[...]
            while !rest.isEmpty {
                try await reader.read(Array(rest.prefix(remote.batchMax)))
                rest = rest.dropFirst(remote.batchMax)
                if isOver { break }
            }
            reading.done += relations.count - rest.count
        } while !isOver
    }
}
