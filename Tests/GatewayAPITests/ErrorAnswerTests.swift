import ParseModel
import StoreService
import Testing

@testable import GatewayAPI

@Suite struct ErrorAnswerTests {
    private static let internalError = #"{"code":1,"message":"Internal server error."}"#

    @Test(arguments: [
        (ParseError.objectNotFound as any Error, 404, #"{"code":101,"error":"Object not found."}"#),
        (ParseError(.incorrectType, "schema mismatch"), 400, #"{"code":111,"error":"schema mismatch"}"#),
        (ParseError(.internalServerError, "x"), 500, #"{"code":1,"error":"x"}"#),
        (StoreError.diskFull, 507, #"{"code":1,"error":"The disk is full."}"#),
        (StoreError.notFound(what: "rejection 5"), 404, #"{"code":101,"error":"Not found: rejection 5."}"#),
        (StoreError.notPossible(reason: "It is being sent."), 409, #"{"code":119,"error":"It is being sent."}"#),
        (
            StoreError.identityMismatch(reason: "Another remote.", hint: "Use --data."), 409,
            #"{"code":119,"error":"Another remote. Use --data."}"#
        ),
        (StoreError.database(operation: "SELECT secret", reason: "no such table (SQLite 1)"), 500, internalError),
        (StoreError.file(operation: "open", path: "/home/x", message: "denied"), 500, internalError),
        (StoreError.newerFile(version: 9, supported: 1), 500, internalError),
        (CancellationError(), 500, internalError),
        (APIError.remoteUnusable(reason: "a web page"), 503, #"{"code":100,"error":"a web page"}"#),
        (APIError.noRoute, 404, #"{"error":"not found"}"#),
        (APIError.malformedPath, 400, #"{"error":"The path is not well formed."}"#),
        (APIError.encodedBody, 415, #"{"error":"Compressed bodies are not supported."}"#),
        (
            APIError.queryTooLong(bytesMax: 9), 414,
            #"{"error":"The query is longer than 9 bytes: send a POST with \"_method\": \"GET\" in its body."}"#
        ),
    ])
    func errorsAreMappedToHTTPStatusAndBody(_ error: any Error, _ status: Int, _ text: String) {
        let answer = ErrorAnswer(error)
        #expect(answer.status.code == status)
        #expect(answer.body.jsonText == text)
    }

    @Test func internalErrorsAreLoggedAndOthersAreNot() {
        #expect(ErrorAnswer(StoreError.diskFull).belongsInLog)
        #expect(ErrorAnswer(APIError.syncFailed(reason: "x")).belongsInLog)
        #expect(ErrorAnswer(CancellationError()).belongsInLog)
        #expect(!ErrorAnswer(ParseError.objectNotFound).belongsInLog)
        #expect(!ErrorAnswer(APIError.remoteUnreachable(reason: "x")).belongsInLog)
    }

    @Test(arguments: ["GET /classes/Holiday/a", "GET /classes/Holiday", "POST /classes/Holiday", "GET /changes"])
    func storeFailureIsAnsweredWithoutItsReason(_ line: String) async {
        let gateway = Gateway.make()
        gateway.store.state.withLock {
            $0.failure = StoreError.database(operation: "o", reason: "malformed (SQLite 11)")
        }
        expect(await gateway.send(line), 500, #"{"code":1,"error":"An internal server error occurred"}"#)
    }
}
