import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import StoreService

/// `GET /export` and `GET /export/{className}`: all objects of the gateway or of a class as a file.
///
/// An export is written to a temporary file first. So it shows one state of a class, a slow client holds no read open,
/// the answer has a length, and an error is an error of HTTP instead of a short file.
struct ExportRoutes: Sendable {
    let reads: ObjectReads
    let threads: BlockingReads
    let responses: ResponseBuilder
    let addresses: FileAddresses
    /// Whether the gateway has users of its own.
    let hasUsers: Bool
    /// Exports the schemas and the global config; nil in a gateway whose remote has them.
    let schemas: SchemaTransfer?

    private var store: any ObjectStore { reads.store }

    /// The maximum time of the reads of one export.
    private static let timeMax = Duration.seconds(3600)
    private static let ownParameters: Set<String> = ["format", "user", "passwordHashes"]

    var routes: [Route] {
        let ofClass = RoutePolicy.objects(.list).with {
            ($0.isParse, $0.isOfSpace, $0.forwarding.isLocal) = (false, true, true)
        }
        let ofAll = RoutePolicy.ownMasterOnly.with { $0.isOfSpace = true }
        return [
            Route(.get, "/export", "exportObjects", ofAll, all),
            Route(.get, "/export/{className}", "exportClass", ofClass) { request in
                .later { try await export(request) }
            },
        ]
    }

    // MARK: One class

    private func export(_ request: RoutedRequest) async throws -> HTTPServerResponse {
        let className = request.parameters[0]
        let format = try TransferFormat(request.parse.parameters)
        let hashes = try passwordHashes(request)
        guard hashes == nil || className == "_User" && format != .csv else {
            throw ParseError(.invalidQuery, "passwordHashes is for users, in the format ndjson or parse.")
        }
        return try await answer(to: request, format, named: className) { draft, bytesMax in
            if let join = RelationJoin(className) {
                guard request.principal.readsEverything else { throw APIError.masterKeyRequired }
                let columns = ["owningId", "relatedId"].map { ExportColumns.Column(name: $0, type: .string) }
                var writer = ExportWriter(draft, format, columns: columns, bytesMax: bytesMax)
                try append(join, to: &writer, className: nil)
                try writer.finish()
            } else if let schemas, SchemaTransfer.holds(className) {
                guard request.principal.readsEverything else { throw APIError.masterKeyRequired }
                guard format != .csv else { throw ParseError(.invalidQuery, "\(className) is not exported as csv.") }
                var writer = ExportWriter(draft, format, bytesMax: bytesMax)
                for object in try schemas.objects(of: className) { try writer.append(object.jsonBytes) }
                try writer.finish()
            } else {
                _ = try request.target
                try write(className, request, format, hashes, draft, bytesMax)
            }
        }
    }

    private func write(
        _ className: String, _ request: RoutedRequest, _ format: TransferFormat, _ hashes: PasswordHashes?,
        _ draft: FileDraft, _ bytesMax: Int
    ) throws {
        try checkExportable(className)
        var parameters = request.parse.parameters
        parameters.removeAll { Self.ownParameters.contains($0) }
        let isLimited = parameters["limit"] != nil
        var query = try reads.query(parameters, of: className, request.principal)
        guard query.include.isEmpty, !query.includesAll, !query.explains, !query.wantsCount, query.redirectingKey == nil
        else { throw ParseError(.invalidQuery, "An export takes where, order, keys, excludeKeys, limit and skip.") }
        if !isLimited { query.limit = .max }
        if query.order.isEmpty, !query.ordersByScore, query.predicate.center == nil { query.order = Self.usualOrder }
        guard try store.classNames().contains(className) else { throw ParseError.noSuchClass(className) }
        for name in query.predicate.classNames { try reads.readiness.check(name, besides: request.awaited) }
        var columns = ExportColumns(try store.schemas.schema(of: className), keys: query.keys)
        if format == .csv {
            try find(className, query, request) { columns.note(try $0.fields(of: className)) }
        }
        var writer = ExportWriter(draft, format, columns: columns.columns, bytesMax: bytesMax)
        try append(className, query, request, hashes, to: &writer, named: nil)
        try writer.finish()
    }

    /// The order of an export whose request names none. Each store has an index with this order, so a large class needs
    /// no memory for sorting.
    private static let usualOrder = ["createdAt", "objectId"].compactMap { try? FieldPath($0) }.map {
        SortKey(path: $0)
    }

    private func find(
        _ className: String, _ query: ParseQuery, _ request: RoutedRequest, each: (StoredObject) throws -> Void
    ) throws {
        _ = try store.find(
            className, query, as: request.principal, timeout: ReadTimeout(Self.timeMax, for: request.http.client),
            each: each)
    }

    /// Gives the hash of a user's password; nil for a user without a password.
    private typealias PasswordHashes = @Sendable (_ userId: String) throws -> String?

    /// The password hashes that a request asks for; nil if it asks for none.
    /// - Throws: `ParseError` 119 (operation forbidden) without the master key, and in a gateway without users of its own.
    private func passwordHashes(_ request: RoutedRequest) throws(ParseError) -> PasswordHashes? {
        guard request.parse.parameters.flag("passwordHashes") else { return nil }
        // The read-only master key and the maintenance key do not suffice.
        guard request.principal == .master else {
            throw .denial(.operationForbidden, "The export of password hashes needs the master key.")
        }
        guard hasUsers else {
            throw ParseError(.operationForbidden, "This gateway has no password hashes: export users at the remote.")
        }
        return { [transfer = store.transfer] in try transfer.passwordHash(of: $0) }
    }

    /// - Parameter named: the class to add to each object; nil to add none.
    private func append(
        _ className: String, _ query: ParseQuery, _ request: RoutedRequest, _ hashes: PasswordHashes?,
        to writer: inout ExportWriter, named: String?
    ) throws {
        let (base, principal) = (request.base, request.principal)
        let isWhole = query.selection.isWhole
        try find(className, query, request) { object in
            var text = object.json
            if !isWhole { text = query.selection.selected(from: try object.fields(of: className)).jsonBytes }
            text = try addresses.addressed(text, base: base, for: principal)
            if className == "_User", let hash = try hashes?(object.objectId) {
                let member = ([UserBody.hashName: .string(hash)] as JSONObject).jsonBytes
                text = text.dropLast() + [UInt8(ascii: ",")] + member.dropFirst()
            }
            try writer.append(text, className: named)
        }
    }

    private func append(_ join: RelationJoin, to writer: inout ExportWriter, className: String?) throws {
        try store.transfer.relationMembers(of: join.ownerClass, join.field) { owner, member in
            var object: JSONObject = className.map { ["className": .string($0)] } ?? [:]
            (object["owningId"], object["relatedId"]) = (.string(owner), .string(member))
            try writer.append(object.jsonBytes)
        }
    }

    private func checkExportable(_ className: String) throws(ParseError) {
        guard className != "_Session" else {
            throw ParseError(.operationForbidden, "Sessions are not exported: users log in again.")
        }
    }

    // MARK: All classes

    private func all(_ request: RoutedRequest) throws -> RouteReply {
        let parameters = request.parse.parameters
        for name in parameters.keys where !name.hasPrefix("_") && !Self.ownParameters.contains(name) {
            throw ParseError(.invalidQuery, "Invalid parameter for an export of all classes: \(name)")
        }
        if parameters.text("format") == "list" { return .now(responses.results(try list(request))) }
        guard try TransferFormat(parameters) == .ndjson else {
            throw ParseError(.invalidQuery, "format must be ndjson or list for an export of all classes.")
        }
        let hashes = try passwordHashes(request)
        return .later {
            try await answer(to: request, .ndjson, named: "tidegate") { draft, bytesMax in
                var writer = ExportWriter(draft, .ndjson, bytesMax: bytesMax)
                var whole = ParseQuery(limit: .max)
                whole.order = Self.usualOrder
                for className in try classNames() {
                    try append(className, whole, request, hashes, to: &writer, named: className)
                }
                for join in try joins() { try append(join, to: &writer, className: join.name) }
                for (className, objects) in try schemas?.all() ?? [] {
                    for object in objects { try writer.append(object.jsonBytes, className: className) }
                }
                try writer.finish()
            }
        }
    }

    private func classNames() throws -> [String] {
        try store.classNames().filter { $0 != "_Session" && !RelationJoin.isName($0) }
    }

    private func joins() throws -> [RelationJoin] {
        try classNames().flatMap { className in
            try store.transfer.relationsWithMembers(of: className)
                .map { RelationJoin(field: $0, ownerClass: className) }
        }
    }

    /// The classes, with the numbers of their objects, the join tables of relations, and `_SCHEMA` and `_GlobalConfig`.
    private func list(_ request: RoutedRequest) throws -> [JSONObject] {
        let classes = try classNames().map { className -> JSONObject in
            let query = ParseQuery(limit: 0, wantsCount: true)
            let count = try store.find(
                className, query, as: request.principal, timeout: ReadTimeout(Self.timeMax, for: request.http.client)
            ) { _ in }
            return ["className": .string(className), "objects": .int(count ?? 0)]
        }
        let settings = try schemas?.all() ?? []
        return classes + (try joins().map { ["className": .string($0.name)] })
            + settings.map { ["className": .string($0.className), "objects": .int($0.objects.count)] }
    }

    // MARK: The file

    /// The answer with a file.
    /// - Parameter write: writes the file, on a thread for exports. It may have `bytesMax` bytes.
    private func answer(
        to request: RoutedRequest, _ format: TransferFormat, named name: String,
        _ write: @escaping @Sendable (_ draft: FileDraft, _ bytesMax: Int) throws -> Void
    ) async throws -> HTTPServerResponse {
        let bytesMax = request.principal.readsEverything ? .max : reads.limits.answerBytesMax
        let content = try await threads.run(.export, for: request.http.client) { () throws -> FileRange in
            let draft = try store.files.draft()
            try write(draft, bytesMax)
            // The file stays readable after its deletion, which follows with the end of the draft.
            guard let file = OpenFile(path: draft.path) else { throw StoreError.filesystem("open", draft.path) }
            return FileRange(file, offset: 0, count: Int64(draft.size))
        }.get()
        var headers = responses.commonHeaders
        headers[.contentType] = format.contentType
        headers[.cacheControl] = "no-store"
        let fileName = name.replacing(":", with: "_") + "." + format.fileExtension
        headers[.contentDisposition] = "attachment; filename=\"\(fileName)\""
        let damaged = RelationJoin.isName(name) ? 0 : store.damagedCount(of: name)
        if damaged > 0 { headers[.tidegateDamaged] = String(damaged) }
        return HTTPServerResponse(status: .ok, headers: headers, content: .file(content))
    }
}
