import HTTPServer
import HTTPTypes
import Logging
import ParseModel
import StoreService

/// The status and body of the response to an error.
///
/// A `ParseError` gets the status that Parse Server gives it: 404 for code 101 (object not found), 500 for code 1 (internal
/// server error), 400 for every other code.
struct ErrorAnswer: Hashable {
    let status: HTTPResponse.Status
    fileprivate(set) var body: JSONObject
    /// The tag of the object in the body; nil without an object.
    private(set) var tag: String?
    /// The write that the remote has not taken; nil for other errors.
    private(set) var notTaken: NotTaken?
    /// Whether to omit the content type, as Parse Server does if it refuses a key.
    private(set) var isBare = false
    /// Whether the answer denies a right, with a specific text that clients may not see.
    private(set) var isDenial = false
    /// Whether the body only says that the error is internal.
    private(set) var isInternal = false
    /// Whether the error is logged, because it is a fault of the gateway, of its file or of its disk.
    private(set) var belongsInLog = false

    init(_ error: any Error) {
        switch error {
        case let error as ParseError: self.init(error)
        case let error as StoreError: self.init(error)
        case let error as APIError: self.init(error)
        default: self.init()
        }
    }

    /// The answer to an internal error.
    private init() {
        status = .internalServerError
        body = ParseDialect.replica.internalError
        isInternal = true
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
        isDenial = error.isDenial
        if error.deniesWrite { body["denied"] = true }
    }

    private init(denial code: ParseError.Code?, _ message: String) {
        self.init(.forbidden, code, message)
        isDenial = true
    }

    /// The text about the changes that the feed still has for the reader. It has none if all entries were trimmed, or
    /// right after a change of rights that invalidates the reader's positions.
    private static func feedRange(_ oldest: Int64, _ newest: Int64) -> String {
        oldest <= newest
            ? "The feed contains the changes \(oldest) to \(newest)." : "The feed starts after the change \(newest)."
    }

    private init(_ error: StoreError) {
        switch error {
        case .diskFull:
            self.init(.init(code: 507, reasonPhrase: "Insufficient Storage"), .internalServerError, "The disk is full.")
            belongsInLog = true
        case .tookTooLong: self.init(ParseError(.timeout, "The query takes too long: make it simpler."))
        case .tooMuchMemory:
            self.init(
                ParseError(
                    .inefficientQuery,
                    "The query needs too much memory. Use fewer conditions, a smaller limit or fewer fields."))
        case .memoryInUse: self.init(APIError.busy)
        case .feedTrimmed(let oldest, let newest):
            self.init(
                .gone, .operationForbidden,
                "\(Self.feedRange(oldest, newest)) Read the classes again, then continue from \"latest\".",
                "oldest", .int(oldest))
        // The body omits the object, because the client's access rights are unknown here.
        case .stale: self.init(.preconditionFailed, .operationForbidden, Self.staleMessage)
        case .entryChanged:
            self.init(
                .preconditionFailed, .operationForbidden,
                "The entry has changed since the state that this decision is based on.", "changed", true)
        case .gone:
            self.init(
                .preconditionFailed, .objectNotFound,
                "Object not found: it was deleted since the state that this write is based on.")
        case .notFound(let what): self.init(.notFound, .objectNotFound, "Not found: \(what).")
        case .notPossible(let reason): self.init(.conflict, .operationForbidden, reason)
        case .identityMismatch(let reason, let hint): self.init(.conflict, .operationForbidden, "\(reason) \(hint)")
        case .damaged(let className, let objectId):
            self.init(
                .internalServerError, .internalServerError,
                "The object \(objectId) of \(className) is damaged in the local file and cannot be read or changed. "
                    + "In a standalone gateway delete it, or restore the file from a backup; a replica pulls the object from "
                    + "its remote again, with the next sync.")
            belongsInLog = true
        case .newerFile, .foreignFile, .fileMissing, .directoryInUse, .database, .file: self.init()
        }
    }

    /// An answer with an additional member, `name`, in its body.
    private init(
        _ status: HTTPResponse.Status, _ code: ParseError.Code, _ message: String, _ name: String, _ figure: JSONValue
    ) {
        self.init(status, code, message)
        body[name] = figure
    }

    private static let staleMessage = "The object has changed since the state that this write is based on."

    private init(staleAgainst object: JSONObject, tag: String) {
        status = .preconditionFailed
        body = [
            "code": .int(ParseError.Code.operationForbidden.rawValue), "error": .string(Self.staleMessage),
            "object": .object(object),
        ]
        self.tag = tag
    }

    private init(_ write: NotTaken) {
        let code = ParseError.Code(rawValue: write.code)
        switch write.state {
        case .rejected: self.init(ParseError(code, write.message))
        case .conflict, .withdrawn: self.init(.conflict, code, write.message)
        // The change would be executed twice if the client sent it again.
        case .unknown where write.isRepeatedByClient: self.init(ParseError(.timeout, write.message))
        case .unknown: self.init(.gatewayTimeout, code, write.message)
        }
        notTaken = write
        body["state"] = .string(write.state.rawValue)
        body["objectId"] = .string(write.objectId)
        body["entry"] = write.entry.map(JSONValue.string)
    }

    private init(_ error: APIError) {
        switch error {
        case .notTaken(let write): self.init(write)
        case .stale(let object, let tag): self.init(staleAgainst: object, tag: tag)
        case .forbidden(let reason): self.init(.forbidden, nil, "forbidden: \(reason)")
        // The answer does not tell why a key is refused. The log names the address from which a master key is not
        // accepted.
        case .unauthorized, .masterKeyFromElsewhere:
            self.init(.forbidden, nil, "unauthorized")
            isBare = true
        case .masterKeyRequired: self.init(denial: nil, "unauthorized: master key is required")
        case .readOnly(let message): self.init(denial: nil, message)
        case .noRoute: self.init(.notFound, nil, "not found")
        case .foreignPosition:
            self.init(
                .gone, .operationForbidden,
                "The position belongs to the change feed of another user. Read the classes again, then continue from \"latest\"."
            )
        case .malformedPath: self.init(.badRequest, nil, "The path is not well formed.")
        case .malformedBody(let reason): self.init(.badRequest, nil, reason)
        case .malformedContext: self.init(.badRequest, .invalidJSON, "Invalid object for context.")
        case .malformedPreference(let reason): self.init(.badRequest, .invalidQuery, reason)
        case .tooManyParameters: self.init(.contentTooLarge, nil, "too many parameters")
        case .invalidApplicationId: self.init(denial: .operationForbidden, "Invalid application ID.")
        case .encodedBody: self.init(.unsupportedMediaType, nil, "Compressed bodies are not supported.")
        case .queryTooLong(let bytesMax):
            self.init(
                .uriTooLong, nil,
                "The query is longer than \(bytesMax) bytes: send a POST with \"_method\": \"GET\" in its body.")
        case .fileTooLarge: self.init(refused: .contentTooLarge)
        case .busy:
            self.init(.serviceUnavailable, .requestLimitExceeded, "The gateway is overloaded: retry later.")
        case .tooManyPasswords:
            self.init(.tooManyRequests, .requestLimitExceeded, "Too many log-ins at a time: retry later.")
        case .tooManyStreams(let max):
            self.init(
                .serviceUnavailable, nil,
                "The limit of \(max) open change streams is reached: close one, or read the changes page by page.")
        case .notReady(let reason): self.init(.serviceUnavailable, nil, reason)
        case .remoteUnreachable(let reason), .remoteUnusable(let reason):
            self.init(.serviceUnavailable, .connectionFailed, reason)
        case .remoteSilent(let reason): self.init(.gatewayTimeout, .connectionFailed, reason)
        case .remoteUnauthorized(let reason): self.init(.badGateway, .operationForbidden, reason)
        case .queuedWrites(let ahead, let reason):
            self.init(.conflict, .timeout, reason, "ahead", .int(ahead))
        case .fileForbidden(let reason): self.init(.forbidden, .operationForbidden, reason)
        case .syncPaused:
            self.init(.conflict, .operationForbidden, "Syncing is paused; POST /sync/resume resumes it.")
        case .syncFailed:
            self.init()
        }
    }

    /// The answer to a request that the HTTP server refuses, for example because it is too large or malformed.
    init(refused status: HTTPResponse.Status) {
        self.init(status, nil, status.reasonPhrase.isEmpty ? "refused" : status.reasonPhrase)
    }

    /// The text of the error.
    var text: String { body["error"]?.string ?? "" }

    /// The answer in the form that all denials share: with the given text, and without a code if the status is 403.
    func generalized(to text: String) -> ErrorAnswer {
        var answer = self
        if status == .forbidden { answer.body["code"] = nil }
        answer.body["error"] = .string(text)
        return answer
    }

    /// The error as the answer to one item of a batch. The text is always in `error`, never in `message`.
    var batchItem: JSONObject {
        guard body["error"] == nil else { return body }
        return ["code": body["code"] ?? 1, "error": body["message"] ?? "Internal server error."]
    }
}

/// Builds responses for errors, and logs internal errors.
struct ErrorResponder: Sendable {
    let responses: ResponseBuilder
    let denials: Denials
    /// The body of the answer to an internal error.
    let internalError: JSONObject
    let logger: Logger

    func response(to error: any Error, _ request: HTTPServerRequest) -> HTTPServerResponse {
        responses.error(answer(to: error, request))
    }

    func answer(to error: any Error, _ request: HTTPServerRequest) -> ErrorAnswer {
        var answer = ErrorAnswer(error)
        if answer.isInternal { answer.body = internalError }
        if answer.belongsInLog {
            logger.error(
                "request failed",
                metadata: ["method": "\(request.method)", "path": "\(request.path)", "error": "\(error)"])
        }
        return denials.shown(answer, to: request)
    }
}
