import ParseModel
import RemoteService
import SyncEngine
import SyncModel

/// A remote with a deliberate bug (`Sabotage`) in some requests and answers.
struct SabotagedRemote: RemoteService {
    let remote: any RemoteService
    let sabotage: Sabotage

    func capabilities(of className: String) -> RemoteCapabilities {
        var capabilities = remote.capabilities(of: className)
        if sabotage == .versionsAssumed { capabilities.hasConditionalWrites = true }
        return capabilities
    }

    var batchMax: Int { remote.batchMax }
    var batchesMax: Int { remote.batchesMax }
    var relations: (any RemoteRelationService)? { remote.relations.map { SabotagedRelations($0, sabotage) } }
    var files: (any RemoteFileService)? {
        remote.files.map { sabotage == .sessionEndRefusesFile ? RefusingFiles(files: $0) : $0 }
    }
    var schemas: (any RemoteSchemaService)? { remote.schemas }
    var calls: (any RemoteCallService)? {
        remote.calls.map { sabotage == .portalBelieved ? BelievingCalls(calls: $0) : $0 }
    }
    var sessions: (any RemoteSessionService)? { remote.sessions }
    var probe: (any RemoteProbe)? { remote.probe }
    var deletions: (any RemoteDeletionFeed)? { remote.deletions }

    func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage] {
        try await remote.pull(requests).map(changed)
    }

    var answersWatch: Bool { remote.answersWatch }

    func firstPages(
        _ requests: [PullRequest], watching queries: [WatchQuery]
    ) async throws(RemoteError) -> FirstPages {
        let first = try await remote.firstPages(requests, watching: queries)
        return FirstPages(pages: first.pages.map { $0.map(changed) }, answers: first.answers)
    }

    private func changed(_ page: PullPage) -> PullPage {
        guard [.tombstonesIgnored, .versionsAssumed, .filesUnread].contains(sabotage) else { return page }
        let changes = page.changes.compactMap { change in
            switch change {
            case .upsert(let row): RemoteChange.upsert(changed(row))
            case .tombstone: sabotage == .filesUnread ? change : nil
            }
        }
        return PullPage(
            changes: changes, cursor: page.cursor, isLast: page.isLast, count: page.count, serverTime: page.serverTime)
    }

    /// A pulled row with the deliberate bug: with an invented version, or without its file. Other bugs leave the row
    /// unchanged.
    private func changed(_ row: RemoteRecord) -> RemoteRecord {
        var (fields, version) = (row.fields, row.version)
        if sabotage == .versionsAssumed { version = "1" }
        if sabotage == .filesUnread { fields[ServerHistory.fileField] = nil }
        return RemoteRecord(
            className: row.className, objectId: row.objectId, createdAt: row.createdAt, updatedAt: row.updatedAt,
            fields: fields, version: version)
    }

    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage {
        do {
            return try await remote.objectIds(of: query, created: range, after: last)
        } catch {
            guard sabotage == .failureIsEmpty else { throw error }
            return ObjectStampPage(stamps: [], isLast: true)
        }
    }

    func allIds(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [[String]] {
        do {
            return try await remote.allIds(of: query, created: ranges)
        } catch {
            guard sabotage == .failureIsEmpty else { throw error }
            return ranges.map { _ in [] }
        }
    }

    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?] {
        try await remote.counts(of: query, created: ranges)
    }

    func serverTime() async throws(RemoteError) -> ParseDate { try await remote.serverTime() }

    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord] {
        do {
            return try await remote.fetch(className, objectIds: objectIds)
        } catch {
            guard sabotage == .failureIsEmpty else { throw error }
            return []
        }
    }

    func fetch(_ objects: [Pointer]) async throws(RemoteError) -> [RemoteRecord] { try await remote.fetch(objects) }

    func object(_ className: String, _ objectId: String) async throws(RemoteError) -> RemoteRecord? {
        try await remote.object(className, objectId)
    }

    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord] {
        try await remote.created(in: className, since: since)
    }

    func showsUser() async throws(RemoteError) -> Bool { try await remote.showsUser() }
    func requireFullAccess() async throws(RemoteError) { try await remote.requireFullAccess() }

    func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool {
        try await remote.acceptsChosenIds(in: className)
    }

    func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        zip(operations, await remote.push(operations.map(sent))).map { operation, outcome in
            switch (sabotage, outcome, operation.kind) {
            case (.createResent, .unknown(let reason, _, _), .create),
                (.incrementResent, .unknown(let reason, _, _), .update):
                .retry(after: nil, reason: reason)
            case (.failuresUnheard, .unknown(let reason, let isInterrupted, _), _):
                .unknown(reason: reason, isInterrupted: isInterrupted)
            case (.rateLimitFinal, .retry(let after?, let reason), _) where after > .zero:
                .refused(code: ParseError.Code.requestLimitExceeded.rawValue, message: reason)
            case (.temporaryRefusalFinal, .refusedForNow(let code, let message), _):
                .refused(code: code, message: message)
            default: outcome
            }
        }
    }

    /// The operation with the deliberate bug. Some bugs omit fields of an update, or the version on which the write is
    /// based.
    private func sent(_ operation: PushOperation) -> PushOperation {
        var (operations, base, merged) = (operation.operations, operation.base, operation.merged)
        if sabotage == .undeletedBare, operation.kind == .undelete { merged?.removeAll { $0 != "title" } }
        if sabotage == .versionsForgotten { base = nil }
        if let field = sabotage.droppedField, operation.kind == .update { operations[field] = nil }
        if sabotage == .earlierFieldsDropped, operation.kind == .update {
            for field in operations.fields.dropLast() { operations[field] = nil }
        }
        return PushOperation(
            kind: operation.kind, className: operation.className, objectId: operation.objectId, operations: operations,
            sendsObjectId: operation.sendsObjectId, base: base, merged: merged,
            wasAttempted: operation.wasAttempted, requestId: operation.requestId)
    }

    func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? {
        remote.refusal(of: fields, in: className, mapping: mapping)
    }

    func close() { remote.close() }
}

/// The relation service of a `SabotagedRemote`. With the bug `ownersCutShort`, all pages of owners but the first are
/// empty.
private struct SabotagedRelations: RemoteRelationService {
    private let service: any RemoteRelationService
    private let sabotage: Sabotage

    init(_ service: any RemoteRelationService, _ sabotage: Sabotage) {
        self.service = service
        self.sabotage = sabotage
    }

    func members(of relations: [RelationPull]) async throws(RemoteError) -> [[String]] {
        try await service.members(of: relations)
    }

    func owners(_ requests: [OwnersRequest]) async throws(RemoteError) -> [OwnersPage] {
        let pages = try await service.owners(requests)
        guard sabotage == .ownersCutShort else { return pages }
        return zip(requests, pages).map { OwnersPage(ownerIds: $0.after == nil ? $1.ownerIds : []) }
    }
}

/// A deliberate break of uploads: the end of a session counts as a refusal of the file.
private struct RefusingFiles: RemoteFileService {
    let files: any RemoteFileService

    func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference {
        do { return try await files.upload(file) } catch {
            guard case .unauthorized(let message) = error else { throw error }
            throw .refused(code: ParseError.Code.fileSaveError.rawValue, message: message)
        }
    }

    func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String? {
        try await files.download(url, into: sink)
    }
}

/// A deliberate break of forwarded calls: the page of a captive portal is returned to the caller as if it were the remote's
/// answer.
private struct BelievingCalls: RemoteCallService {
    let calls: any RemoteCallService

    func query(_ className: String, parameters: JSONObject) async throws(RemoteError) -> JSONObject {
        try await calls.query(className, parameters: parameters)
    }

    func call(_ call: RemoteCall) async throws(RemoteError) -> RemoteAnswer {
        do { return try await calls.call(call) } catch {
            guard case .misaddressed(status: 200, _) = error else { throw error }
            return RemoteAnswer(status: .ok)
        }
    }
}
