import ParseModel
import Testing

/// What an SDK puts on the wire to create, change, fetch, find, count, save together, delete and log in, one request
/// after the other.
///
/// Names in angle brackets stand for ids: `<day>` is learnt from the first answer that has it, and put into every
/// later path and body.
struct SDKStory: Sendable, CustomTestStringConvertible {
    let sdk: String
    /// The files of the SDK that the requests were read from: `repository: file, file`.
    let sources: [String]
    let requests: [SDKRequest]

    var testDescription: String { sdk }

    static let all = [javaScript, php, dotNET, flutter, swift, swiftPostingQueries]
}

/// One request of an SDK, and what the SDK needs of the answer.
struct SDKRequest: Sendable {
    /// What somebody does with the SDK.
    let does: String
    /// Method and path, with its query as the SDK escapes it.
    let line: String
    let headers: [String: String]
    let body: String
    let answer: SDKAnswer
    /// Where only a remote can answer: what comes while it is away.
    var answerOffline: SDKAnswer?
}

/// Status and members that an answer must have; further members are none of the SDK's business.
///
/// Among the members `<any>` stands for a text that is not empty, and `<date>` for a date as SDKs read it.
struct SDKAnswer: Sendable {
    let status: Int
    let members: JSONValue

    init(_ status: Int, _ members: JSONValue = [:]) { (self.status, self.members) = (status, members) }

    static let notFound = SDKAnswer(404, ["code": 101, "error": "Object not found."])
    static let noUsersHere = SDKAnswer(400, ["code": 119, "error": "<any>"])
    static let remoteIsAway = SDKAnswer(503, ["code": 100, "error": "<any>"])

    /// An object is made whose id gets a name.
    static func created(_ name: String) -> SDKAnswer {
        SDKAnswer(201, ["objectId": .string("<\(name)>"), "createdAt": "<date>"])
    }
}
