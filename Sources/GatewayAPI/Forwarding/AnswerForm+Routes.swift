import RemoteService
import StoreService

/// The answers that a Parse Server gives on the forwarded routes.
extension AnswerForm {
    init(answering request: RoutedRequest) {
        if let target = request.objects {
            self = Self.answering(target)
        } else if request.route.policy.forwarding.showsSchemas {
            self = request.parameters.isEmpty && request.parse.method == .get ? .results : .texts("className")
        } else {
            self = Self.byRoute[request.route.name] ?? .object
        }
    }

    private static func answering(_ target: ObjectTarget) -> AnswerForm {
        switch target.kind {
        case .list, .aggregate: .results
        case .get: .texts("objectId")
        // The create of an installation can update another one. The answer to the create of a session has no id.
        case .create: ["_Installation", "_Session"].contains(target.className) ? .object : .texts("objectId")
        case .update: .updated
        case .delete: .object
        }
    }

    /// The forms of the routes about no objects. The other routes answer an object, often an empty one.
    private static let byRoute: [String: AnswerForm] = [
        "logIn": logIn, "logInByQuery": logIn, "logInAs": logIn, "upgradeSession": .texts("sessionToken"),
        "verifyPassword": .texts("objectId"), "verifyPasswordByQuery": .texts("objectId"),
        "getCurrentUser": .texts("objectId"), "getCurrentSession": .texts("objectId"),
        "requestPasswordReset": .empty, "requestVerificationEmail": .empty, "getConfig": .config,
        "updateCurrentSession": .updated, "callFunction": .function, "updateConfig": .result, "sendPush": .result,
        "listJobSchedules": .list, "createJobSchedule": .texts("objectId"), "updateJobSchedule": .object,
        "listFunctionHooks": .list, "listTriggerHooks": .list,
    ]

    /// The answer to a log-in.
    static let logIn = AnswerForm.texts("objectId", "sessionToken")
}
