import HTTPServer
import ParseModel

/// The same calls where there is no remote: the answers of a Parse Server that was set up without cloud code, push, mail
/// and purchases.
struct StandaloneCalls: Sendable {
    let answers: Answers

    func answer(_ call: Call) throws -> HTTPServerResponse {
        switch call.endpoint {
        case .callFunction: throw ParseError(.scriptFailed, "Invalid function: \"\(call.parameters[0])\"")
        case .trackEvent, .logOut: return answers.json([:])
        case .validatePurchase: throw Self.purchase(try call.parse.body.fields)
        case .requestPasswordReset, .requestVerificationEmail:
            throw ParseError(.operationForbidden, "A standalone gateway sends no mail.")
        case .getCurrentUser, .getCurrentSession, .updateCurrentSession:
            throw ParseError(.invalidSessionToken, "Invalid session token")
        case .upgradeSession: throw ParseError(.objectNotFound, "invalid session")
        case .logIn, .logInByQuery, .logInAs, .verifyPassword, .verifyPasswordByQuery:
            throw ParseError(.operationForbidden, "Users are not supported yet.")
        default: return try forOwners(call)
        }
    }

    /// What a Parse Server does for holders of the master key only.
    private func forOwners(_ call: Call) throws -> HTTPServerResponse {
        try call.requireMaster()
        switch call.endpoint {
        case .startJob, .startJobByName: throw ParseError(.scriptFailed, "Invalid job.")
        case .listJobSchedules: return answers.json(Array("[]".utf8))
        case .getJobNames: return answers.json(["in_use": [], "jobs": []])
        case .createJobSchedule: throw ParseError(.scriptFailed, "Cannot Schedule a job that is not deployed")
        case .updateJobSchedule, .deleteJobSchedule: throw ParseError.objectNotFound
        case .sendPush: throw ParseError(.pushMisconfigured, "Missing push configuration")
        case .listFunctionHooks, .listTriggerHooks: return answers.json(Array("[]".utf8))
        case .getFunctionHook:
            throw ParseError(.webhookError, "no function named: \(call.parameters[0]) is defined")
        case .getTriggerHook: throw ParseError(.webhookError, "class \(call.parameters[0]) does not exist")
        default: throw ParseError(.webhookError, "A standalone gateway calls no hooks.")
        }
    }

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
