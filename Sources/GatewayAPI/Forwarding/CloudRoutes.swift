import HTTPServer
import ParseModel

/// The routes of cloud code, jobs, push notifications, hooks, events and purchases. A replica forwards their requests to its
/// remote. A standalone gateway answers like a Parse Server without these features.
struct CloudRoutes: Sendable {
    let responses: ResponseBuilder

    var routes: [Route] { functions + jobs + hooks + others }

    private var functions: [Route] {
        [
            Route(.post, "/functions/{functionName}", "callFunction", .remote()) { request in
                throw ParseError(.scriptFailed, "Invalid function: \"\(request.parameters[0])\"")
            }
        ]
    }

    private var jobs: [Route] {
        let schedules = "/cloud_code/jobs"
        return [
            masterOnly(.post, "/jobs", "startJob", ParseError(.scriptFailed, "Invalid job.")),
            masterOnly(.post, "/jobs/{jobName}", "startJobByName", ParseError(.scriptFailed, "Invalid job.")),
            Route(.get, schedules, "listJobSchedules", .remote(.masterOnly), emptyList),
            masterOnly(
                .post, schedules, "createJobSchedule",
                ParseError(.scriptFailed, "Cannot Schedule a job that is not deployed")),
            Route(.get, "\(schedules)/data", "getJobNames", .remote(.masterOnly)) { [responses] _ in
                .now(responses.json(["in_use": [], "jobs": []]))
            },
            masterOnly(.put, "\(schedules)/{scheduleId}", "updateJobSchedule", .objectNotFound),
            masterOnly(.delete, "\(schedules)/{scheduleId}", "deleteJobSchedule", .objectNotFound),
            masterOnly(.post, "/push", "sendPush", ParseError(.pushMisconfigured, "Missing push configuration")),
        ]
    }

    private var hooks: [Route] {
        let (functions, triggers) = ("/hooks/functions", "/hooks/triggers")
        let trigger = "\(triggers)/{className}/{triggerName}"
        let none = ParseError(.webhookError, "A standalone gateway does not call hooks.")
        return [
            Route(.get, functions, "listFunctionHooks", .remote(.masterOnly), emptyList),
            masterOnly(.post, functions, "createFunctionHook", none),
            Route(.get, "\(functions)/{functionName}", "getFunctionHook", .remote(.masterOnly)) { request in
                throw ParseError(.webhookError, "no function named: \(request.parameters[0]) is defined")
            },
            masterOnly(.put, "\(functions)/{functionName}", "updateFunctionHook", none),
            Route(.get, triggers, "listTriggerHooks", .remote(.masterOnly), emptyList),
            masterOnly(.post, triggers, "createTriggerHook", none),
            Route(.get, trigger, "getTriggerHook", .remote(.masterOnly)) { request in
                throw ParseError(.webhookError, "class \(request.parameters[0]) does not exist")
            },
            masterOnly(.put, trigger, "updateTriggerHook", none),
        ]
    }

    private var others: [Route] {
        [
            Route(.post, "/events/{eventName}", "trackEvent", .remote()) { [responses] _ in .now(responses.json([:])) },
            Route(.post, "/validate_purchase", "validatePurchase", .remote()) { request in
                throw Self.purchase(try request.parse.body.fields)
            },
        ]
    }

    /// A route that requires the master key and always fails in a standalone gateway.
    private func masterOnly(_ method: RequestMethod, _ pattern: String, _ name: String, _ error: ParseError) -> Route {
        Route(method, pattern, name, .remote(.masterOnly)) { _ in throw error }
    }

    private func emptyList(_ request: RoutedRequest) -> RouteReply { .now(responses.json(Array("[]".utf8))) }

    private static func purchase(_ fields: JSONObject) -> ParseError {
        guard fields["receipt"] != nil, fields["productIdentifier"] != nil else {
            return ParseError(.invalidJSON, "missing receipt or productIdentifier")
        }
        return ParseError(.operationForbidden, "A standalone gateway cannot validate purchases.")
    }
}

extension ParseError.Code {
    static let pushMisconfigured = Self(rawValue: 115)
    static let scriptFailed = Self(rawValue: 141)
    static let webhookError = Self(rawValue: 143)
}
