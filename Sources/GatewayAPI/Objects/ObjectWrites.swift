import ParseModel
import StoreService

/// Creates, updates and deletes single objects: parses the requests, performs the writes, and builds the answers.
struct ObjectWrites: Sendable {
    let store: any ObjectStore
    /// Prepares the writes of users and sessions; nil if the gateway has no accounts of its own.
    let accounts: AccountPreparation?
    /// Whether the gateway has no remote and refuses the ids that clients choose.
    var refusesChosenIds = false
    /// Checks the pointers and files in writes to a user's space; nil elsewhere.
    var foreignNames: ForeignNames?
    /// Performs the writes whose clients ask for the remote; nil in a standalone gateway, which has no remote.
    var deliveries: RemoteDeliveries?

    /// The write that a request asks for.
    /// - Throws: `ParseError` for an invalid body or precondition, and for a class that Tidegate does not support yet.
    func write(_ request: RoutedRequest) throws -> WriteRequest {
        let target = try request.target
        let body = request.parse.body
        guard let objectId = target.objectId else {
            var fields = try body.fields
            // A create ignores `_base` but checks its form.
            if let base = fields["_base"] { _ = try Preconditions.base(base) }
            fields["_base"] = nil
            // A chosen id is checked before the fields, as in Parse Server. A replica of this gateway detects by this
            // error whether it may choose ids.
            if accounts != nil, target.className == "_Session", !request.principal.writesEverything {
                SessionWrites.ignoreChosenId(in: &fields)
            }
            if refusesChosenIds { try ChosenId.refuse(in: fields) }
            var terms = WriteTerms(wantsMark: request.wantsMark)
            terms.installationId = request.parse.credentials.installationId
            if accounts == nil || target.className != "_User" {
                try SpecialClasses.checkCreate(
                    target.className, fields, installationId: request.parse.credentials.installationId)
            }
            return .create(className: target.className, body: fields, terms: terms)
        }
        if target.className == "_User", target.kind == .update {
            try accounts?.checkChange(of: objectId, by: request.principal)
        }
        let terms = try request.terms
        guard target.kind == .update else {
            return .delete(className: target.className, objectId: objectId, terms: terms)
        }
        var fields = try body.fields
        fields["_base"] = nil
        return .update(className: target.className, objectId: objectId, body: fields, terms: terms)
    }

    /// The write as the store performs it. Writes of users and sessions are prepared; other writes stay unchanged.
    /// - Throws: the errors of `AccountPreparation` and of `ForeignNames`.
    func prepared(_ write: WriteRequest, for request: RoutedRequest) async throws -> AccountPreparation.Prepared {
        try await foreignNames?.check(write, as: request.principal)
        guard let accounts, AccountPreparation.concerns(write) else { return .write(write) }
        return try await accounts.prepared(write, for: request)
    }

    /// A write that was performed, with the state that its client has asked for.
    struct Performed: Sendable {
        let receipt: WriteReceipt
        /// Nil if the client has not asked for the remote.
        let state: RemoteState?
    }

    /// Performs a write as its client prefers.
    /// - Throws: the errors of `perform(_:as:)`; `APIError.notTaken` and other errors of `RemoteDeliveries`.
    func perform(_ write: WriteRequest, for request: RoutedRequest) async throws -> Performed {
        let principal = request.principal
        guard let preference = request.parse.preference else {
            return Performed(receipt: try await perform(write, as: principal), state: nil)
        }
        // A standalone gateway is what the remote is for a replica.
        guard let deliveries else { return Performed(receipt: try await perform(write, as: principal), state: .synced) }
        do {
            let delivered: RemoteDeliveries.Delivered
            switch preference.kind {
            case .only:
                delivered = try await deliveries.sendOnly(
                    write, as: principal, request.http.headers, within: preference.wait)
            case .confirm:
                let results = await deliveries.confirm([write], as: principal, within: preference.wait) {
                    await store.perform([write], as: principal, atomically: false)
                }
                guard let result = results.first else { preconditionFailure("A store gives a result for each request") }
                delivered = try result.get()
            }
            return Performed(receipt: delivered.receipt, state: delivered.state)
        } catch APIError.notTaken(var fate) {
            fate.isRepeatedByClient = preference.isOfContext
            throw APIError.notTaken(fate)
        } catch {
            throw refusal(error, of: write.className, to: principal)
        }
    }

    /// - Throws: `APIError.stale` if the object is not in the state that the write requires; any other error of the store.
    func perform(_ write: WriteRequest, as principal: Principal) async throws -> WriteReceipt {
        guard let result = await store.perform([write], as: principal, atomically: false).first else {
            preconditionFailure("A store gives a result for each request")
        }
        return try result.mapError { refusal($0, of: write.className, to: principal) }.get()
    }

    /// Turns the error of a stale write into `APIError.stale`, with the current object and its `_sync`. Returns any other error
    /// unchanged.
    func refusal(_ error: any Error, of className: String, to principal: Principal) -> any Error {
        guard case StoreError.stale(let object) = error else { return error }
        do {
            var shown = try object.fields(of: className)
            let mark = try store.mark(className, object, as: principal)
            shown["_sync"] = .object(mark.json)
            return APIError.stale(object: shown, tag: mark.tag ?? "")
        } catch {
            return error
        }
    }

    /// The body of the answer to a write. For a create: id and time, then the results of operations. For an update: the results
    /// of operations, then the time. A create that has updated an installation answers like an update, with the id. `_sync` comes
    /// last, if requested.
    static func answer(to write: WriteRequest, _ receipt: WriteReceipt) -> JSONObject {
        var answer = JSONObject()
        switch write {
        case .create where receipt.hasUpdatedExisting:
            answer = receipt.echoed
            answer["objectId"] = .string(receipt.objectId)
            answer["updatedAt"] = .string(receipt.updatedAt.iso)
        case .create(let className, let body, _):
            let account = write.terms.account
            // As in Parse Server, the answer to a new session of the caller shows all its fields.
            if className == "_Session", account?.session?.fields.isEmpty == false { answer = body }
            answer["objectId"] = .string(receipt.objectId)
            if account?.showsUsername == true { answer["username"] = body["username"] }
            answer["createdAt"] = .string(receipt.createdAt.iso)
            for (field, value) in receipt.echoed { answer[field] = value }
        case .update:
            answer = receipt.echoed
            answer["updatedAt"] = .string(receipt.updatedAt.iso)
        case .delete: break
        }
        if let session = write.terms.account?.session { answer["sessionToken"] = .string(session.token) }
        if let mark = receipt.mark { answer["_sync"] = .object(mark.json) }
        return answer
    }
}
