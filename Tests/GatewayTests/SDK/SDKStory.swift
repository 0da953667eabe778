import ParseModel
import Testing

/// The requests that an SDK sends to create, change, fetch, find, count, save, delete and log in, in this order.
///
/// Names in angle brackets stand for ids: `<day>` is bound by the first answer that contains it, and inserted into
/// every later path and body.
struct SDKStory: Sendable, CustomTestStringConvertible {
    let sdk: String
    /// The source files of the SDK that the requests were taken from: `repository: file, file`.
    let sources: [String]
    let requests: [SDKRequest]

    var testDescription: String { sdk }

    static let all = [javaScript, javaScriptFiles, php, dotNET, flutter, swift, swiftPostingQueries]
}

/// One request of an SDK, and the parts of the answer that the SDK needs.
struct SDKRequest: Sendable {
    /// The action in the SDK.
    let does: String
    /// Method and path, with the query as the SDK escapes it.
    let line: String
    let headers: [String: String]
    let body: String
    let answer: SDKAnswer
    /// The answer while the remote is unreachable, for requests that only the remote can answer.
    var answerOffline: SDKAnswer?
}

/// The required status and members of an answer. Further members are ignored, unless the answer must be whole.
///
/// `<any>` stands for a non-empty text, and `<date>` for a date that SDKs can parse.
struct SDKAnswer: Sendable {
    let status: Int
    let members: JSONValue
    /// Whether the answer has no member besides `members`.
    let isWhole: Bool

    init(_ status: Int, _ members: JSONValue = [:], isWhole: Bool = false) {
        (self.status, self.members, self.isWhole) = (status, members, isWhole)
    }

    static let notFound = SDKAnswer(404, ["code": 101, "error": "Object not found."])
    static let noUsersHere = SDKAnswer(404, ["code": 101, "error": "Invalid username/password."])
    static let remoteIsAway = SDKAnswer(503, ["code": 100, "error": "<any>"])

    /// Creates an object whose id gets a name.
    static func created(_ name: String) -> SDKAnswer {
        SDKAnswer(201, ["objectId": .string("<\(name)>"), "createdAt": "<date>"])
    }
}
