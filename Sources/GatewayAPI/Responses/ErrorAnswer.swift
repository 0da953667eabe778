import HTTPTypes
import ParseModel
import StoreService

/// The status and body that a client gets for an error. No other type turns errors into HTTP.
///
/// Statuses and bodies are those of Parse Server 7.1.0 where it knows the case: code 101 is 404, code 1 is 500, every
/// other code 400.
struct ErrorAnswer: Hashable {
    let status: HTTPResponse.Status
    private(set) var body: JSONObject
    /// The tag of the object in the body; nil without an object.
    private(set) var tag: String?
    /// Parse Server names no content type where it refuses a key.
    private(set) var isBare = false
    /// The error is the gateway's own, and the client learns little of it.
    private(set) var belongsInLog = false

    init(_ error: any Error) {
        switch error {
        case let error as ParseError: self.init(error)
        case let error as StoreError: self.init(error)
        case let error as APIError: self.init(error)
        default: self.init()
        }
    }

    /// An error of the gateway itself.
    private init() {
        status = .internalServerError
        body = ["code": 1, "message": "Internal server error."]
        belongsInLog = true
    }

    private init(_ status: HTTPResponse.Status, _ code: ParseError.Code?, _ message: String) {
        self.status = status
        var body = JSONObject()
        if let code { body["code"] = .int(code.rawValue) }
        body["error"] = .string(message)
        self.body = body
    }

    private init(_ error: ParseError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .objectNotFound: .notFound
            case .internalServerError: .internalServerError
            default: .badRequest
            }
        self.init(status, error.code, error.message)
    }

    private init(_ error: StoreError) {
        switch error {
        case .diskFull:
            self.init(.init(code: 507, reasonPhrase: "Insufficient Storage"), .internalServerError, "The disk is full.")
            belongsInLog = true
        case .tookTooLong: self.init(ParseError(.timeout, "The query takes too long: make it simpler."))
        case .feedTrimmed(let oldest, let newest):
            self.init(
                .gone, .operationForbidden,
                "The feed holds the changes \(oldest) to \(newest): read the classes anew, and go on from \"latest\".",
                "oldest", .int(oldest))
        // The object itself is not known here.
        case .stale: self.init(.preconditionFailed, .operationForbidden, Self.staleWords)
        case .gone:
            self.init(
                .preconditionFailed, .objectNotFound, "Object not found: it is gone since the change was made.")
        case .notFound(let what): self.init(.notFound, .objectNotFound, "Not found: \(what).")
        case .notPossible(let reason): self.init(.conflict, .operationForbidden, reason)
        case .identityMismatch(let reason, let hint): self.init(.conflict, .operationForbidden, "\(reason) \(hint)")
        case .damaged(let className, let objectId):
            self.init(
                .internalServerError, .internalServerError,
                "The object \(objectId) of \(className) is damaged in the local file, and can be neither read nor changed. "
                    + "In a standalone gateway delete it, or put the file back from a backup; a replica takes the object from "
                    + "its remote again, with the next sync.")
            belongsInLog = true
        case .newerFile, .foreignFile, .fileMissing, .directoryInUse, .database, .file: self.init()
        }
    }

    /// With a figure beside the message.
    private init(
        _ status: HTTPResponse.Status, _ code: ParseError.Code, _ message: String, _ name: String, _ figure: JSONValue
    ) {
        self.init(status, code, message)
        body[name] = figure
    }

    private static let staleWords = "The object has changed since the state that this change was made for."

    private init(staleAgainst object: JSONObject, tag: String) {
        status = .preconditionFailed
        body = [
            "code": .int(ParseError.Code.operationForbidden.rawValue), "error": .string(Self.staleWords),
            "object": .object(object),
        ]
        self.tag = tag
    }

    private init(_ error: APIError) {
        switch error {
        case .stale(let object, let tag): self.init(staleAgainst: object, tag: tag)
        case .forbidden(let reason): self.init(.forbidden, nil, "forbidden: \(reason)")
        case .unauthorized:
            self.init(.forbidden, nil, "unauthorized")
            isBare = true
        case .masterKeyRequired: self.init(.forbidden, nil, "unauthorized: master key is required")
        case .noRoute: self.init(.notFound, nil, "not found")
        case .malformedPath: self.init(.badRequest, nil, "The path is not well formed.")
        case .malformedBody(let reason): self.init(.badRequest, nil, reason)
        case .malformedContext: self.init(.badRequest, .invalidJSON, "Invalid object for context.")
        case .tooManyParameters: self.init(.contentTooLarge, nil, "too many parameters")
        case .invalidApplicationId: self.init(.forbidden, .operationForbidden, "Invalid application ID.")
        case .encodedBody: self.init(.unsupportedMediaType, nil, "Compressed bodies are not supported.")
        case .queryTooLong(let bytesMax):
            self.init(
                .uriTooLong, nil,
                "The query is longer than \(bytesMax) bytes: send a POST with \"_method\": \"GET\" in its body.")
        case .fileTooLarge: self.init(refused: .contentTooLarge)
        case .busy:
            self.init(.serviceUnavailable, .requestLimitExceeded, "The gateway has too much to do: ask again later.")
        case .tooManyStreams(let max):
            self.init(
                .serviceUnavailable, nil,
                "As many streams of changes are open as may be (\(max)): close one, or ask for changes page by page.")
        case .remoteUnreachable(let reason): self.init(.serviceUnavailable, .connectionFailed, reason)
        case .remoteSilent(let reason): self.init(.gatewayTimeout, .connectionFailed, reason)
        case .remoteUnauthorized(let reason): self.init(.badGateway, .operationForbidden, reason)
        case .queuedWrites(let ahead, let reason):
            self.init(.conflict, .timeout, reason, "ahead", .int(ahead))
        case .fileForbidden(let reason): self.init(.forbidden, .operationForbidden, reason)
        case .syncPaused:
            self.init(.conflict, .operationForbidden, "Syncing is paused; POST /sync/resume lets it go on.")
        case .syncFailed:
            self.init()
        }
    }

    /// A request that the server could not hand to the API: too large, malformed, or one too many.
    init(refused status: HTTPResponse.Status) {
        self.init(status, nil, status.reasonPhrase.isEmpty ? "refused" : status.reasonPhrase)
    }

    /// The error as an item of a batch's answer has it: always with a code and a text.
    var batchItem: JSONObject {
        guard body["error"] == nil else { return body }
        return ["code": body["code"] ?? 1, "error": body["message"] ?? "Internal server error."]
    }
}
