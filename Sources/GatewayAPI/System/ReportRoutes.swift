import HTTPServer
import ParseModel
import StoreService

/// The routes that show the settings, the log, the latest requests, the indexes and the checks to the person who runs the gateway.
struct ReportRoutes: Sendable {
    /// Nil in an API that no program serves.
    let report: (any ProgramReport)?
    let requests: RecentRequests
    let store: any ObjectStore
    let environment: Environment
    let responses: ResponseBuilder

    var routes: [Route] {
        [
            route("/system/settings", "listSettings") { report, _ in
                ["settings": .array(report.settings.map { .object($0.json) })]
            },
            route("/system/log", "listLogLines") { report, request in
                let after = Int(clamping: try request.parse.parameters.wholeNumber("after") ?? 0)
                let lines = report.logLines(after: after)
                return [
                    "lines": .array(lines.map { .object($0.json) }),
                    "last": .number(JSONNumber(Int64(lines.last?.number ?? after))),
                ]
            },
            Route(.get, "/system/requests", "listRequests", .ofInspector) { _ in
                .now(responses.json(["requests": .array(latest.map(JSONValue.object))]))
            },
            Route(.get, "/system/indexes", "listIndexes", .ofInspector) { _ in
                .now(responses.json(["indexes": .array(try store.indexUses().map { .object(Self.json(of: $0)) })]))
            },
            Route(.get, "/system/checks", "getChecks", .ofInspector) { request in
                guard let report else { throw APIError.noRoute }
                let includesFile = request.parse.parameters.flag("file")
                return .later {
                    var answer = try await report.checks(includesFile: includesFile)
                    answer["backups"] = report.backups.map { .object($0.json) } ?? .null
                    return responses.json(answer)
                }
            },
        ]
    }

    /// `{"className":"Task","fields":["project","due"],"uses":12,"lastUsedAt":"2026-11-30T10:00:00.000Z"}`
    private static func json(of index: IndexUse) -> JSONObject {
        [
            "className": .string(index.className), "fields": .array(index.fields.map(JSONValue.string)),
            "uses": .number(JSONNumber(Int64(index.count))),
            "lastUsedAt": index.latest.map { .string($0.iso) } ?? .null,
        ]
    }

    /// The latest requests, newest first.
    private var latest: [JSONObject] {
        let (now, uptime) = (environment.now(), environment.uptime())
        return requests.latest().map { request in
            let age = Int64((uptime - request.arrivedAt) / .milliseconds(1))
            return [
                "number": .number(JSONNumber(Int64(request.number))),
                "at": .string(ParseDate(milliseconds: now.milliseconds - age).iso),
                "method": .string(request.method), "path": .string(request.path),
                "status": .number(JSONNumber(Int64(request.status))),
                "milliseconds": .number(JSONNumber((request.duration / .microseconds(1)).rounded() / 1000)),
                "principal": .string(request.principal),
            ]
        }
    }

    private func route(
        _ pattern: String, _ name: String,
        _ answer: @escaping @Sendable (any ProgramReport, RoutedRequest) throws -> JSONObject
    ) -> Route {
        Route(.get, pattern, name, .ofInspector) { request in
            guard let report else { throw APIError.noRoute }
            return .now(responses.json(try answer(report, request)))
        }
    }
}
