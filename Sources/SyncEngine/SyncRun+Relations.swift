import ParseModel
import RemoteService
import SyncModel

/// Relations: a row tells only that there is one. The members of those whose row is news are read by themselves, few of a
/// column object by object, many by a survey of the column. That may take long, so each sync reads for a while only, after
/// its pushes; the engine follows with another sync where some are left.
extension SyncRun {
    /// How many relations a survey has read are taken in together.
    private static let takenMax = 500

    mutating func pullRelations() async throws(SyncError) {
        guard classes.values.contains(where: \.isPulled) else { return }
        var reading = RelationReading(began: try await serverNow())
        reading = relations ?? reading
        // If this ends early, nothing is left half taken in, and the next sync looks anew.
        relations = nil
        let slice = Slice(ends: environment.uptime() + options.relationSlice)
        for waiting in try await waitingRelations(reading) {
            if waiting.count <= options.relationsReadSinglyMax || reading.isUnsurveyable(waiting.column) {
                try await readSingly(waiting.column, &reading, slice)
            } else {
                try await survey(waiting, &reading, slice)
            }
            if isOver(slice) { break }
        }
        // Rows that became news while others were read wait for the next sync.
        let began = reading.began
        guard try await waitingRelations(reading).contains(where: { $0.since < began && !reading.isGivenUp($0.column) })
        else { return }
        relations = reading
        summary.relationsLeft = true
    }

    /// The time that relations may take in one sync.
    private struct Slice {
        let ends: Duration
    }

    private func isOver(_ slice: Slice) -> Bool { environment.uptime() >= slice.ends || isHalted() }

    private func waitingRelations(_ reading: RelationReading) async throws(SyncError) -> [WaitingRelations] {
        let began = reading.began
        return try await stored { try await $0.waitingRelations(before: began) }
    }

    private mutating func tell(_ column: RelationField, _ reading: RelationReading) {
        report(
            SyncProgress(phase: .relations, className: column.className, done: reading.done, total: nil))
    }

    // MARK: Object by object

    private mutating func readSingly(
        _ column: RelationField, _ reading: inout RelationReading, _ slice: Slice
    ) async throws(SyncError) {
        let (limit, began) = (remote.capabilities.batchMax, reading.began)
        repeat {
            let relations = try await stored { try await $0.relationsToPull(of: column, limit: limit, before: began) }
            guard !relations.isEmpty else { return }
            tell(column, reading)
            try await readSingly(relations)
            reading.done += relations.count
        } while !isOver(slice)
    }

    private mutating func readSingly(_ relations: [RelationPull]) async throws(SyncError) {
        // An object that changes while it is read is read again.
        let serverTime = try await serverNow()
        var members: [BaseMembers] = []
        var refused: [RelationPull] = []
        do {
            members = try await read(relations)
        } catch {
            guard error.isOfOneClass else { throw error }
            // One that may not be read does not keep the others from it.
            for relation in relations {
                do {
                    members += try await read([relation])
                } catch {
                    guard error.isOfOneClass else { throw error }
                    if case .unusable(_, isTooMuch: true) = error {
                        warn(
                            "The relation \(relation.field) of \(relation.owner.className)/\(relation.owner.objectId) is "
                                + "left out, and was not brought up to date: \(error.message)")
                    } else {
                        warn("Relations of \(relation.owner.className) cannot be pulled: \(error.message)")
                    }
                    refused.append(relation)
                }
            }
        }
        let (taken, postponed, overlap) = (members, refused, options.overlap)
        try await stored { try await $0.setBaseMembers(taken, at: serverTime, overlap: overlap) }
        try await stored { try await $0.postponeRelations(postponed, at: serverTime) }
    }

    /// Lists that are empty are asked for once more, by a remote that shows what it had.
    private mutating func read(_ relations: [RelationPull]) async throws(SyncError) -> [BaseMembers] {
        var lists = try await askedForMembers(of: relations)
        let empty = lists.indices.filter { lists[$0].isEmpty }
        if let first = empty.first {
            try await requireWitnesses(of: relations[first].memberClass)
            let again = try await askedForMembers(of: empty.map { relations[$0] })
            for (index, list) in zip(empty, again) { lists[index] = list }
        }
        return zip(relations, lists).map { BaseMembers($0, memberIds: $1) }
    }

    private mutating func askedForMembers(of relations: [RelationPull]) async throws(SyncError) -> [[String]] {
        try await asked { remote throws(RemoteError) in try await remote.members(of: relations) }
    }

    // MARK: By a survey of the column

    private mutating func survey(
        _ waiting: WaitingRelations, _ reading: inout RelationReading, _ slice: Slice
    ) async throws(SyncError) {
        let column = waiting.column
        if reading.survey?.column != column {
            reading.survey = RelationSurvey(column, waiting: waiting.count, began: try await serverNow())
        }
        do {
            guard try await advance(&reading, slice) else { return }
        } catch {
            guard error.isOfOneClass else {
                // It goes on from here when the remote answers again.
                relations = reading
                throw error
            }
            reading.survey = nil
            guard case .refused = error else {
                warn("Relations of \(column.className) cannot be pulled: \(error.message)")
                reading.giveUp(column)
                return
            }
            reading.noteUnsurveyable(column)
        }
        guard let survey = reading.survey else {
            try await readSingly(column, &reading, slice)
            return
        }
        try await take(survey, &reading, slice)
    }

    /// - Returns: false where the slice has ended before the survey. A survey that is no use is dropped.
    private mutating func advance(_ reading: inout RelationReading, _ slice: Slice) async throws(SyncError) -> Bool {
        guard var survey = reading.survey else { return true }
        let column = survey.column
        while true {
            tell(column, reading)
            switch survey.next(batchMax: remote.capabilities.batchMax) {
            case .listMembers(let after):
                let query = PullQuery(className: column.memberClass)
                survey.takeMembers(
                    try await asked { remote throws(RemoteError) in
                        try await remote.objectIds(of: query, created: .all, after: after)
                    })
            case .ask(let requests): survey.take(try await askedForOwners(requests))
            case .askAgain(let requests):
                try await requireWitnesses(of: column.className)
                survey.take(try await askedForOwners(requests))
            case .complete:
                reading.survey = survey
                return true
            case .pointless:
                reading.survey = nil
                reading.noteUnsurveyable(column)
                return true
            }
            reading.survey = survey
            if isOver(slice) { return false }
        }
    }

    private mutating func askedForOwners(_ requests: [OwnersRequest]) async throws(SyncError) -> [OwnersPage] {
        try await asked { remote throws(RemoteError) in try await remote.owners(requests) }
    }

    /// Takes in the findings of a survey about the relations that waited when it began. A list that would take members away from
    /// an object is read anew: another one may have been cut short.
    private mutating func take(
        _ survey: RelationSurvey, _ reading: inout RelationReading, _ slice: Slice
    ) async throws(SyncError) {
        let (column, began, overlap) = (survey.column, reading.began, options.overlap)
        repeat {
            let relations = try await stored {
                try await $0.relationsToPull(of: column, limit: Self.takenMax, before: began)
            }
            guard !relations.isEmpty else {
                reading.survey = nil
                return
            }
            tell(column, reading)
            let surveyed = relations.filter { relation in
                !survey.singles.contains(relation.owner.objectId)
                    && relation.updatedAt.map { $0 < survey.began } == true
            }
            let lists = surveyed.map { BaseMembers($0, memberIds: survey.members(of: $0.owner.objectId)) }
            let losing = try await stored { try await $0.ownersLosingMembers(by: lists) }
            let taken = lists.filter { !losing.contains($0.owner) }
            try await stored { try await $0.setBaseMembers(taken, at: survey.began, overlap: overlap) }
            let owners = Set(taken.map(\.owner))
            var rest = relations.filter { !owners.contains($0.owner) }[...]
            while !rest.isEmpty {
                try await readSingly(Array(rest.prefix(remote.capabilities.batchMax)))
                rest = rest.dropFirst(remote.capabilities.batchMax)
                if isOver(slice) { break }
            }
            reading.done += relations.count - rest.count
        } while !isOver(slice)
    }
}

/// The reading of relations across the syncs that it takes.
struct RelationReading: Sendable {
    /// The server time at which it began: a relation that was read since then has had its turn.
    let began: ParseDate
    var survey: RelationSurvey?
    /// How many relations have been read.
    var done = 0
    private var unsurveyable: Set<RelationField> = []
    private var givenUp: Set<RelationField> = []

    init(began: ParseDate) { self.began = began }

    /// Whether only reading object by object is left: the members' class may not be listed, or has too many objects.
    func isUnsurveyable(_ column: RelationField) -> Bool { unsurveyable.contains(column) }
    mutating func noteUnsurveyable(_ column: RelationField) { unsurveyable.insert(column) }

    /// Whether the column waits for another time, because the remote's answer about it cannot be used.
    func isGivenUp(_ column: RelationField) -> Bool { givenUp.contains(column) }
    mutating func giveUp(_ column: RelationField) { givenUp.insert(column) }
}

extension BaseMembers {
    fileprivate init(_ relation: RelationPull, memberIds: [String]) {
        self.init(
            owner: relation.owner, field: relation.field, memberClass: relation.memberClass, memberIds: memberIds)
    }
}
