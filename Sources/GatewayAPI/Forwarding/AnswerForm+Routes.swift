import RemoteService
import StoreService

/// The form of the answer that a Parse Server gives to each forwarded request.
extension AnswerForm {
    init(answering request: RoutedRequest) {
        self = request.route.policy.forwarding.answer ?? request.objects.map(Self.answering) ?? .object
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

    /// The answer to a log-in.
    static let logIn = AnswerForm.texts("objectId", "sessionToken")
    static let schema = AnswerForm.texts("className")
}
