import HTTPServer
import ParseModel
import StoreService

/// Reads objects from the store, by id and by query, and builds the answers.
struct ObjectReads: Sendable {
    /// The principal of a read, its limits, and whether its answer shows `_sync`.
    struct Terms: Sendable {
        var showsMark: Bool
        var principal: Principal
        var timeout: ReadTimeout
        /// The maximum size of the answer, in bytes.
        var bytesMax: Int
        /// The classes for whose first sync the request has waited (`RoutedRequest.awaited`).
        var awaited: Set<String>
        /// The session token of the caller; nil for none.
        var sessionToken: String?
    }

    /// An object as JSON text, and its tag.
    struct Found: Sendable {
        let text: [UInt8]
        let tag: String
    }

    /// The parameters that a GET of an object may carry (`ALLOWED_GET_QUERY_KEYS` of Parse Server), besides those that begin
    /// with an underscore.
    private static let getParameters: Set<String> = [
        "keys", "include", "excludeKeys", "readPreference", "includeReadPreference", "subqueryReadPreference",
    ]

    let store: any ObjectStore
    let limits: RequestLimits
    let dialect: ParseDialect
    let complexity: RequestComplexity
    let coverage: StoreCoverage
    /// Throws `AwaitedClass` for a class whose first sync may not be complete.
    let readiness: any Readiness

    func get(_ request: RoutedRequest) throws -> Found {
        let target = try request.target
        let parameters = request.parse.searchParameters
        let found = try get(
            target, parameters, showsMark: request.parse.asksForSyncState || parameters.flag("_sync"),
            request.principal, awaited: request.awaited, sessionToken: request.parse.credentials.sessionToken)
        return Found(text: found.text, tag: found.object.contentMark.tag)
    }

    func list(_ request: RoutedRequest, within time: Duration) throws -> [UInt8] {
        try read(
            try request.target, request.parse.searchParameters,
            Terms(
                showsMark: request.parse.asksForSyncState, principal: request.principal,
                timeout: ReadTimeout(time, for: request.http.client), bytesMax: limits.answerBytesMax,
                awaited: request.awaited, sessionToken: request.parse.credentials.sessionToken))
    }

    /// Reads the object of the target, or runs a query on its class.
    /// - Returns: the object, or `{"results":[…]}` with a `count` if the query requests it, as JSON text.
    /// - Throws: `ParseError` if the object does not exist, the query is invalid or the answer is too large; errors of the store,
    ///   such as `StoreError.tookTooLong`; `AwaitedClass` if the read needs a class whose first sync may not be complete.
    func read(_ target: ObjectTarget, _ parameters: JSONObject, _ terms: Terms) throws -> [UInt8] {
        let principal = terms.principal
        let showsMark = terms.showsMark || parameters.flag("_sync")
        if target.objectId != nil {
            return try get(
                target, parameters, showsMark: showsMark, principal, awaited: terms.awaited,
                sessionToken: terms.sessionToken
            ).text
        }
        var query = try query(parameters, of: target.className, principal)
        let redirection = Redirection(store: store, principal: principal)
        let className = try redirection.className(target.className, by: query.redirectingKey, query.predicate)
        query.predicate = try redirection.resolved(query.predicate)
        let checkPulled = checkPulled(besides: terms.awaited)
        for name in query.predicate.classNames { try checkPulled(name) }
        if className != target.className { try checkPulled(className) }
        if query.explains {
            try dialect.explaining.check(principal)
            return try store.explanation(className, query, as: principal, timeout: terms.timeout)
        }
        if parameters.flag("_fields") { return try fields(of: className, query, terms) }
        var list = ObjectText.List(
            ObjectText(
                query.selection, of: className, score: query.showsScore ? query.predicate.textSearch : nil,
                className: query.redirectingKey == nil ? nil : className,
                sync: showsMark ? SyncMember(store: store, principal: principal) : nil,
                token: OwnToken.listed(className, query.selection, principal, terms.sessionToken),
                included: included(for: principal, bytesMax: terms.bytesMax, checkPulled)),
            objectsMax: query.limit)
        let count = try find(className, query, terms) { object in
            try list.append(object)
            guard list.bytes.count <= terms.bytesMax else {
                throw ParseError(
                    .objectTooLarge, "The answer is larger than \(terms.bytesMax) bytes: request fewer objects.")
            }
        }
        return list.whole(count: count)
    }

    /// The answer to a query with `_fields`: `{"results":[],"fields":{"title":{"type":"String"},…},"complete":true}`. The fields are
    /// those of the matching objects, without limit and skip. `complete` is false if only a part of them was read.
    private func fields(of className: String, _ query: ParseQuery, _ terms: Terms) throws -> [UInt8] {
        var query = query
        (query.limit, query.skip, query.order, query.wantsCount) = (FieldsInUse.objectsMax, 0, [], false)
        var (fields, count) = (FieldsInUse(of: className), 0)
        _ = try find(className, query, terms) { object in
            fields.note(object)
            count += 1
        }
        let isComplete = count < FieldsInUse.objectsMax
        return (["results": [], "fields": .object(fields.json), "complete": .bool(isComplete)] as JSONObject).jsonBytes
    }

    private func get(
        _ target: ObjectTarget, _ parameters: JSONObject, showsMark: Bool, _ principal: Principal,
        awaited: Set<String>, sessionToken: String?
    ) throws -> (text: [UInt8], object: StoredObject) {
        let (className, objectId) = (target.className, target.objectId ?? "")
        var query = ParseQuery()
        if !parameters.isEmpty {
            guard parameters.keys.allSatisfy({ $0.hasPrefix("_") || Self.getParameters.contains($0) }) else {
                throw ParseError(.invalidQuery, "Improper encode of parameter")
            }
            query = try self.query(parameters, principal)
        }
        guard let object = try object(className, objectId, principal) else { throw ParseError.objectNotFound }
        let text = ObjectText(
            query.selection, of: className, sync: showsMark ? SyncMember(store: store, principal: principal) : nil,
            token: OwnToken.read(className, query.selection, principal, sessionToken),
            included: included(for: principal, bytesMax: limits.answerBytesMax, checkPulled(besides: awaited)))
        return (try text.object(object), object)
    }

    private func object(_ className: String, _ objectId: String, _ principal: Principal) throws -> StoredObject? {
        guard className == InternalClasses.globalConfig, coverage == .everything else {
            return try store.object(className, objectId, as: principal)
        }
        return try GlobalConfig(stored: store.config()).object.flatMap { $0.objectId == objectId ? $0 : nil }
    }

    /// Runs a query in the store. The class `_GlobalConfig` has at most one object, which matches every query.
    private func find(
        _ className: String, _ query: ParseQuery, _ terms: Terms, each: (StoredObject) throws -> Void
    ) throws -> Int? {
        guard className == InternalClasses.globalConfig, coverage == .everything else {
            return try store.find(className, query, as: terms.principal, timeout: terms.timeout, each: each)
        }
        let object = try GlobalConfig(stored: store.config()).object
        if let object, query.limit > 0, query.skip == 0 { try each(object) }
        return query.wantsCount ? (object == nil ? 0 : 1) : nil
    }

    private func included(
        for principal: Principal, bytesMax: Int, _ checkPulled: @escaping IncludedObjects.Check
    ) -> IncludedObjects {
        IncludedObjects(
            store: store, principal: principal, coverage: coverage, bytesMax: bytesMax, checkPulled: checkPulled
        ) { try object($0, $1, principal) }
    }

    /// The check of the classes that a read needs besides the class of its request.
    private func checkPulled(besides awaited: Set<String>) -> IncludedObjects.Check {
        { [readiness] in try readiness.check($0, besides: awaited) }
    }

    /// Parses a query on a class. A caller without the right to list the class gets the denial instead of an error
    /// about the query.
    func query(_ parameters: JSONObject, of className: String, _ principal: Principal) throws -> ParseQuery {
        do {
            return try query(parameters, principal)
        } catch {
            throw denialOfList(className, principal) ?? error
        }
    }

    /// The denial of listing the class; nil if listing is allowed. Any other failure also gives nil, because this check
    /// reads no list.
    private func denialOfList(_ className: String, _ principal: Principal) -> ParseError? {
        do {
            _ = try store.explain(className, ParseQuery(), as: principal, timeout: .unlimited)
            return nil
        } catch {
            return (error as? ParseError).flatMap { $0.isDenial ? $0 : nil }
        }
    }

    private func query(_ parameters: JSONObject, _ principal: Principal) throws(ParseError) -> ParseQuery {
        var query = try ParseQuery(
            parameters: parameters,
            QueryTerms(unknownOperator: dialect.unknownOperator, bounds: complexity.query(of: principal)))
        query.limit = min(query.limit, limits.pageMax)
        return query
    }
}

extension ObjectStore {
    /// The answer to a query with `explain`: SQL statements and their plans instead of objects.
    func explanation(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [UInt8] {
        let statements = try explain(className, query, as: principal, timeout: timeout).map { statement -> JSONValue in
            ["sql": .string(statement.sql), "plan": .array(statement.plan.map(JSONValue.string))]
        }
        return (["results": .array(statements)] as JSONObject).jsonBytes
    }
}
