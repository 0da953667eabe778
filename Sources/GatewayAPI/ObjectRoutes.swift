import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel

/// `/classes/…`: objects by id and by query, and writes of one object.
struct ObjectRoutes: Sendable {
    /// What a request of `/classes/…` is about, alone or as an item of a batch.
    struct Target: Sendable {
        let endpoint: Endpoint
        let className: String
        /// Nil where the path names only a class.
        let objectId: String?

        /// - Parameter path: the parameters of the route.
        /// - Throws: `ParseError` for a class that Tidegate does not carry yet.
        init(_ endpoint: Endpoint, path: [String]) throws(ParseError) {
            self.endpoint = endpoint
            className = path[0]
            objectId = path.count > 1 ? path[1] : nil
            guard !ClassName.isServersOwn(className) else {
                throw ParseError(.operationForbidden, "The class \(className) is not supported yet.")
            }
        }
    }

    /// A GET of an object may carry these (`ALLOWED_GET_QUERY_KEYS` of Parse Server).
    private static let getParameters: Set<String> = [
        "keys", "include", "excludeKeys", "readPreference", "includeReadPreference", "subqueryReadPreference",
    ]

    let store: any ObjectStore
    let limits: GatewayAPI.Limits
    let isReplica: Bool

    /// Whether a request is the remote's to answer. Of those about objects it is where a replica does not keep them:
    /// installations, roles, sessions and users it keeps only where somebody wants that, and who signs up or has a session
    /// is known to the remote alone.
    /// - Parameter path: the parameters of the route.
    func isRemotes(_ endpoint: Endpoint, _ path: [String], hasSession: Bool) throws -> Bool {
        guard isReplica, !endpoint.isForwarded else { return isReplica }
        let special = endpoint.onObjects
        let endpoint = special?.endpoint ?? endpoint
        guard endpoint.isObjects || endpoint == .aggregate, let className = special?.className ?? path.first
        else { return false }
        // A server shows these to holders of its master key, and none of them is kept here.
        if ClassName.isServersOwn(className) { return true }
        guard endpoint.isObjects, ClassName.special.contains(className) else { return false }
        if hasSession || endpoint == .createObject && ["_User", "_Session"].contains(className) { return true }
        return try !store.classNames().contains(className)
    }

    /// Why a request with a session is not answered. SDKs take 209 for the end of a session, which is the remote's to tell.
    var sessionRefusal: ParseError {
        isReplica
            ? ParseError(
                .operationForbidden, "A replica serves one identity: requests with a session are not supported yet.")
            : ParseError(.invalidSessionToken, "Invalid session token")
    }

    /// How a read is to be carried out.
    struct Reading: Sendable {
        var asksForSyncState: Bool
        var isMaster: Bool
        var patience: Patience
        /// How long the answer may become.
        var bytesMax: Int
    }

    /// An object as JSON text, and a function for its tag, which takes the longer the larger the object is.
    struct Found: Sendable {
        let text: [UInt8]
        let storedBytes: Int
        let tag: @Sendable () throws -> String
    }

    func get(_ call: Call) throws -> Found {
        let target = try Target(call.endpoint, path: call.parameters)
        let parameters = call.parse.searchParameters
        let objectId = target.objectId ?? ""
        try SpecialClasses.authorize(target.endpoint, target.className, objectId, isMaster: call.isMaster)
        let found = try get(
            target.className, objectId, parameters,
            showsState: call.parse.asksForSyncState || parameters.flag("_sync"), isMaster: call.isMaster)
        let hidden = HiddenFields.of(target.className, isMaster: call.isMaster)
        return Found(text: found.text, storedBytes: found.object.json.count) { [store] in
            try store.tag(target.className, found.object, hiding: hidden)
        }
    }

    func read(_ call: Call, within time: Duration) throws -> [UInt8] {
        try read(
            Target(call.endpoint, path: call.parameters), call.parse.searchParameters,
            Reading(
                asksForSyncState: call.parse.asksForSyncState, isMaster: call.isMaster,
                patience: Patience(time, for: call.http.client),
                bytesMax: limits.answerBytesMax))
    }

    /// - Returns: an object, or `{"results":[…],"count":n}`, as JSON text.
    /// - Throws: `ParseError` where there is no such object or the query cannot be answered, `StoreError.tookTooLong`.
    func read(_ target: Target, _ parameters: JSONObject, _ reading: Reading) throws -> [UInt8] {
        let isMaster = reading.isMaster
        let showsState = reading.asksForSyncState || parameters.flag("_sync")
        if let objectId = target.objectId {
            try SpecialClasses.authorize(target.endpoint, target.className, objectId, isMaster: isMaster)
            return try get(target.className, objectId, parameters, showsState: showsState, isMaster: isMaster).text
        }
        var query = try query(parameters)
        let redirection = Redirection(store: store)
        let className = try redirection.className(target.className, by: query.redirectingKey, query.predicate)
        query.predicate = try redirection.resolved(query.predicate)
        try SpecialClasses.authorize(target.endpoint, className, isMaster: isMaster)
        if !isMaster { try HiddenFields.check(query, of: className) }
        query.excludedKeys += HiddenFields.of(className, isMaster: isMaster)
        if query.explains { return try store.explanation(className, query, patience: reading.patience) }
        var list = ObjectText.List(
            ObjectText(
                query.selection, of: className, score: query.showsScore ? query.predicate.textSearch : nil,
                className: query.redirectingKey == nil ? nil : className,
                sync: sync(of: className, isShown: showsState, isMaster: isMaster),
                isMaster: isMaster, isReplica: isReplica, includedBytesMax: reading.bytesMax, store: store))
        let count = try store.find(className, query, patience: reading.patience) { object in
            try list.append(object)
            guard list.bytes.count <= reading.bytesMax else {
                throw ParseError(
                    .objectTooLarge, "The answer is larger than \(reading.bytesMax) bytes: ask for fewer objects.")
            }
        }
        return list.whole(count: count)
    }

    private func get(
        _ className: String, _ objectId: String, _ parameters: JSONObject, showsState: Bool, isMaster: Bool
    ) throws -> (text: [UInt8], object: StoredObject) {
        var query = ParseQuery()
        if !parameters.isEmpty {
            guard parameters.keys.allSatisfy({ $0.hasPrefix("_") || Self.getParameters.contains($0) }) else {
                throw ParseError(.invalidQuery, "Improper encode of parameter")
            }
            query = try self.query(parameters)
        }
        query.excludedKeys += HiddenFields.of(className, isMaster: isMaster)
        guard let object = try store.object(className, objectId) else { throw ParseError.objectNotFound }
        let text = ObjectText(
            query.selection, of: className, sync: sync(of: className, isShown: showsState, isMaster: isMaster),
            isMaster: isMaster, isReplica: isReplica, includedBytesMax: limits.answerBytesMax, store: store)
        return (try text.object(object), object)
    }

    private func sync(
        of className: String, isShown: Bool, isMaster: Bool
    ) -> (member: SyncMember, className: String)? {
        isShown ? (SyncMember(store: store, isMaster: isMaster), className) : nil
    }

    private func query(_ parameters: JSONObject) throws(ParseError) -> ParseQuery {
        var query = try ParseQuery(parameters: parameters)
        query.limit = min(query.limit, limits.pageMax)
        return query
    }

    /// - Throws: `ParseError` where the body is no object, or nobody but holders of the master key may do it.
    func write(_ call: Call) throws(ParseError) -> WriteRequest {
        let target = try Target(call.endpoint, path: call.parameters)
        let body = call.parse.body
        try SpecialClasses.authorize(target.endpoint, target.className, target.objectId, isMaster: call.isMaster)
        guard let objectId = target.objectId else {
            var fields = try body.fields
            // A new object is made on nothing.
            if let base = fields["_base"] { _ = try Preconditions.base(base) }
            fields["_base"] = nil
            let terms = WriteTerms(wantsMark: call.wantsMark)
            try SpecialClasses.checkCreate(
                target.className, fields, installationId: call.parse.credentials.installationId)
            return .create(className: target.className, body: fields, terms: terms)
        }
        let terms = try call.terms
        guard target.endpoint == .updateObject else {
            return .delete(className: target.className, objectId: objectId, terms: terms)
        }
        var fields = try body.fields
        fields["_base"] = nil
        return .update(className: target.className, objectId: objectId, body: fields, terms: terms)
    }

    /// Carries out a create, and says where the object is.
    /// - Parameter base: what goes before `/classes` in its address.
    func create(_ write: WriteRequest, answers: Answers, base: String) async throws -> HTTPServerResponse {
        let receipt = try await carryOut(write, isMaster: false)
        var response = answers.json(Self.answer(to: write, receipt), status: .created)
        let path = write.className == "_User" ? ["users"] : ["classes", write.className]
        response.headers[.location] =
            base + (path + [receipt.objectId]).map { "/" + PercentCoding.encodedPathSegment($0) }.joined()
        return response
    }

    /// - Returns: the answer's body.
    /// - Throws: `APIError.stale` where the object is in another state than the write was made for.
    func perform(_ write: WriteRequest, isMaster: Bool) async throws -> JSONObject {
        Self.answer(to: write, try await carryOut(write, isMaster: isMaster))
    }

    private func carryOut(_ write: WriteRequest, isMaster: Bool) async throws -> WriteReceipt {
        guard let result = await store.perform([write], atomically: false).first else {
            preconditionFailure("A store gives a result for each request")
        }
        return try result.mapError { refusal($0, of: write.className, isMaster: isMaster) }.get()
    }

    /// A stale write's error with the object as its sender would read it.
    func refusal(_ error: any Error, of className: String, isMaster: Bool) -> any Error {
        guard case StoreError.stale(let object) = error else { return error }
        do {
            let hidden = HiddenFields.of(className, isMaster: isMaster)
            var shown = try JSONReader.read(object.json, depthMax: JSONReader.storedDepthMax).object ?? [:]
            for name in hidden { shown[name] = nil }
            let mark = try store.mark(className, object, hiding: hidden)
            shown["_sync"] = .object(mark.json)
            return APIError.stale(object: shown, tag: mark.tag ?? "")
        } catch {
            return error
        }
    }

    /// A create answers with id and time before what operations resulted in, an update with the time after it.
    static func answer(to write: WriteRequest, _ receipt: WriteReceipt) -> JSONObject {
        var answer = JSONObject()
        switch write {
        case .create:
            answer["objectId"] = .string(receipt.objectId)
            answer["createdAt"] = .string(receipt.createdAt.iso)
            for (field, value) in receipt.echoed { answer[field] = value }
        case .update:
            answer = receipt.echoed
            answer["updatedAt"] = .string(receipt.updatedAt.iso)
        case .delete: break
        }
        if let mark = receipt.mark { answer["_sync"] = .object(mark.json) }
        return answer
    }
}

extension ObjectStore {
    /// How the file would be searched, instead of what is found in it.
    func explanation(_ className: String, _ query: ParseQuery, patience: Patience) throws -> [UInt8] {
        let statements = try explain(className, query, patience: patience).map { statement -> JSONValue in
            ["sql": .string(statement.sql), "plan": .array(statement.plan.map(JSONValue.string))]
        }
        return (["results": .array(statements)] as JSONObject).jsonBytes
    }
}

extension WriteRequest {
    var className: String {
        switch self {
        case .create(let className, _, _), .update(let className, _, _, _), .delete(let className, _, _): className
        }
    }
}
