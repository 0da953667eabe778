import HTTPServer
import ParseModel
import RemoteService

/// The routes of cloud code, jobs, push notifications, hooks, events and purchases. A replica forwards their requests to its
/// remote. A standalone gateway answers like a Parse Server without these features.
struct CloudRoutes: Sendable {
    let responses: ResponseBuilder

    var routes: [Route] { functions + jobs + hooks + others }

    private var functions: [Route] {
        [
            Route(.post, "/functions/{functionName}", "callFunction", .remote(.function).ofCloudCode) { request in
                throw ParseError(.scriptFailed, "Invalid function: \"\(request.parameters[0])\"")
            }
        ]
    }

    private var jobs: [Route] {
        let schedules = "/cloud_code/jobs"
        let job = RoutePolicy.remote(.object, .masterOnly).with { $0.readOnlyKey = .nothing(action: "run a job") }
        let push = RoutePolicy.remote(.result, .masterOnly).with {
            $0.readOnlyKey = .nothing(action: "send push notifications")
        }
        return [
            masterOnly(.post, "/jobs", "startJob", ParseError(.scriptFailed, "Invalid job."), job),
            masterOnly(.post, "/jobs/{jobName}", "startJobByName", ParseError(.scriptFailed, "Invalid job."), job),
            Route(.get, schedules, "listJobSchedules", .remote(.list, .masterOnly), emptyList),
            masterOnly(
                .post, schedules, "createJobSchedule",
                ParseError(.scriptFailed, "Cannot Schedule a job that is not deployed"),
                .remote(.texts("objectId"), .masterOnly)),
            Route(.get, "\(schedules)/data", "getJobNames", .remote(.object, .masterOnly)) { [responses] _ in
                .now(responses.json(["in_use": [], "jobs": []]))
            },
            masterOnly(.put, "\(schedules)/{scheduleId}", "updateJobSchedule", .objectNotFound),
            masterOnly(.delete, "\(schedules)/{scheduleId}", "deleteJobSchedule", .objectNotFound),
            masterOnly(.post, "/push", "sendPush", ParseError(.pushMisconfigured, "Missing push configuration"), push),
        ]
    }

    private var hooks: [Route] {
        let (functions, triggers) = ("/hooks/functions", "/hooks/triggers")
        let trigger = "\(triggers)/{className}/{triggerName}"
        let none = ParseError(.webhookError, "A standalone gateway does not call hooks.")
        return [
            Route(.get, functions, "listFunctionHooks", .remote(.list, .masterOnly), emptyList),
            masterOnly(.post, functions, "createFunctionHook", none),
            Route(.get, "\(functions)/{functionName}", "getFunctionHook", .remote(.object, .masterOnly)) { request in
                throw ParseError(.webhookError, "no function named: \(request.parameters[0]) is defined")
            },
            masterOnly(.put, "\(functions)/{functionName}", "updateFunctionHook", none),
            Route(.get, triggers, "listTriggerHooks", .remote(.list, .masterOnly), emptyList),
            masterOnly(.post, triggers, "createTriggerHook", none),
            Route(.get, trigger, "getTriggerHook", .remote(.object, .masterOnly)) { request in
                throw ParseError(.webhookError, "class \(request.parameters[0]) does not exist")
            },
            masterOnly(.put, trigger, "updateTriggerHook", none),
        ]
    }

    private var others: [Route] {
        [
            Route(.post, "/events/{eventName}", "trackEvent", .remote().ofCloudCode) { [responses] _ in
                .now(responses.json([:]))
            },
            Route(.post, "/validate_purchase", "validatePurchase", .remote()) { request in
                throw Self.purchase(try request.parse.body.fields)
            },
        ]
    }

    /// A route that requires the master key and always fails in a standalone gateway.
    private func masterOnly(
        _ method: RequestMethod, _ pattern: String, _ name: String, _ error: ParseError,
        _ policy: RoutePolicy = .remote(.object, .masterOnly)
    ) -> Route {
        Route(method, pattern, name, policy) { _ in throw error }
    }

    private func emptyList(_ request: RoutedRequest) -> RouteReply { .now(responses.json(Array("[]".utf8))) }

    private static func purchase(_ fields: JSONObject) -> ParseError {
        guard fields["receipt"] != nil, fields["productIdentifier"] != nil else {
            return ParseError(.invalidJSON, "missing receipt or productIdentifier")
        }
        return ParseError(.operationForbidden, "A standalone gateway cannot validate purchases.")
    }
}

extension RoutePolicy {
    /// The read-only master key may call functions and events. In a replica the remote answers them, and does not receive
    /// this gateway's keys.
    fileprivate var ofCloudCode: RoutePolicy { with { $0.readOnlyKey = .everything } }
}

extension ParseError.Code {
    static let pushMisconfigured = Self(rawValue: 115)
    static let scriptFailed = Self(rawValue: 141)
    static let webhookError = Self(rawValue: 143)
}
