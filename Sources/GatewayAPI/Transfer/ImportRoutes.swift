import HTTPServer
import HTTPTypes
import ParseModel
import StoreService

/// `POST /import` and `POST /import/{className}`: writes the objects of a file.
struct ImportRoutes: Sendable {
    let run: ImportRun
    let responses: ResponseBuilder
    let errors: ErrorResponder
    let uptime: @Sendable () -> Duration

    private static let parameterNames: Set<String> = ["format", "rename", "type", "dryRun", "skipRefused", "user"]

    var routes: [Route] {
        // The objects have the permissions of writes by their class, which the store checks for each object.
        let policy = RoutePolicy.ofSpace.with {
            $0.body = .rows
            $0.readOnlyKey = .nothing(action: "import objects")
        }
        let ofClass = policy.with {
            ($0.objects, $0.forwarding.isLocal) = (ObjectOperation(kind: .update, className: nil), true)
        }
        return [
            Route(.post, "/import", "importObjects", policy) { try reply(to: $0, nil) },
            Route(.post, "/import/{className}", "importClass", ofClass) { try reply(to: $0, $0.parameters[0]) },
        ]
    }

    private func reply(to request: RoutedRequest, _ className: String?) throws -> RouteReply {
        let parameters = request.parse.parameters
        for name in parameters.keys where !name.hasPrefix("_") && !Self.parameterNames.contains(name) {
            throw ParseError(.invalidQuery, "Invalid parameter for an import: \(name)")
        }
        if let className, !ClassName.isValid(className), RelationJoin(className) == nil,
            !SchemaTransfer.holds(className)
        {
            throw ParseError.invalidClassName(className)
        }
        let terms = ImportRun.Terms(
            className: className, format: try TransferFormat(parameters), map: try FieldMap(parameters),
            isDryRun: parameters.flag("dryRun"), skipsRefused: parameters.flag("skipRefused"),
            principal: request.principal, client: request.http.client)
        guard let draft = try (request.http.sink as? FileUploadSink)?.whole() else {
            throw ParseError(.invalidJSON, "The body of an import is the file.")
        }
        guard request.http.headers[.accept]?.contains(TransferFormat.ndjson.contentType) == true else {
            return .later {
                let result = try await run.perform(draft.path, terms) { _, _, _ in }
                withExtendedLifetime(draft) {}
                return responses.json(
                    Self.json(result, terms), status: Self.failure(result, terms) == nil ? .ok : .badRequest)
            }
        }
        return .now(stream(draft, terms, request.http))
    }

    /// The answer that reports the progress. Its status is 200 also if the import fails: the last line tells.
    private func stream(
        _ draft: FileDraft, _ terms: ImportRun.Terms, _ request: HTTPServerRequest
    ) -> HTTPServerResponse {
        let progress = ImportProgress(client: terms.client, uptime: uptime)
        Task {
            do {
                let size = draft.size
                let result = try await run.perform(draft.path, terms) { isWrite, report, bytesRead in
                    var json: JSONObject = ["pass": isWrite ? "write" : "check"]
                    (json["objects"], json["refused"]) = (.int(report.objects), .int(report.refused))
                    (json["bytes"], json["bytesTotal"]) = (.int(bytesRead), .int(size))
                    progress.note(json)
                }
                progress.finish(Self.json(result, terms))
            } catch {
                progress.finish(errors.answer(to: error, request).body)
            }
            withExtendedLifetime(draft) {}
        }
        var headers = responses.commonHeaders
        headers[.contentType] = TransferFormat.ndjson.contentType
        headers[.cacheControl] = "no-store"
        return HTTPServerResponse(status: .ok, headers: headers, content: .stream(progress))
    }

    private static func json(_ result: ImportRun.Ending, _ terms: ImportRun.Terms) -> JSONObject {
        var json = JSONObject()
        if let failure = failure(result, terms) {
            json["code"] = .int(ParseError.Code.validationFailed.rawValue)
            json["error"] = .string(failure)
        }
        for (name, value) in result.report.json { json[name] = value }
        json["missingFields"] = .array(terms.map.missing.map(JSONValue.string))
        json["written"] = .bool(result.isWritten)
        return json
    }

    /// The error of an import that has not written all objects although it should have; nil for a success.
    private static func failure(_ result: ImportRun.Ending, _ terms: ImportRun.Terms) -> String? {
        let report = result.report
        if result.hasStopped, let first = report.refusals.first {
            return
                "The store refused line \(first.line) after the check had accepted it, and the import stopped there. "
                + "The lines before it are imported. Run the import again."
        }
        guard !result.isWritten, !terms.isDryRun, report.refused > 0 else { return nil }
        return "\(report.refused) of \(report.objects) objects were refused. Nothing was changed."
    }
}
