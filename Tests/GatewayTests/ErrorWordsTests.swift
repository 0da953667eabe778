import Gateway
import GatewayAPI
import HTTPClient
import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Error descriptions appear in the log, on the web page and in terminals, so they must be readable sentences.
struct ErrorWordsTests {
    private static let errors: [any Error] =
        [
            RemoteError.unreachable(reason: "why"), RemoteError.interrupted(reason: "why"),
            RemoteError.overloaded(retryAfter: .seconds(1), reason: "why"),
            RemoteError.faulty(status: 500, reason: "why"),
            RemoteError.misaddressed(status: 404, reason: "why"), RemoteError.tooMuch(reason: "why"),
            RemoteError.unauthorized(message: "why"), RemoteError.refused(code: 119, message: "why"),
            StoreError.diskFull, StoreError.tookTooLong, StoreError.tooMuchMemory, StoreError.memoryInUse,
            StoreError.feedTrimmed(oldest: 1, newest: 2),
            StoreError.newerFile(version: 9, supported: 8), StoreError.directoryInUse(path: "/why"),
            StoreError.identityMismatch(reason: "why", hint: "how"), StoreError.notFound(what: "why"),
            StoreError.notPossible(reason: "why"), StoreError.database(operation: "read", reason: "why (SQLite 1)"),
            StoreError.file(operation: "read", path: "/why", message: "why"), ParseError(.timeout, "why"),
            HTTPTransportError.notSent(reason: "why"), HTTPTransportError.outcomeUnknown(reason: "why"),
            HTTPTransportError.tooLong(reason: "why"), APIError.remoteUnreachable(reason: "why"), APIError.unauthorized,
            APIError.queryTooLong(bytesMax: 1), APIError.tooManyStreams(max: 1),
            SyncError.offline(reason: "why", retryAfter: nil), SyncError.foreign(reason: "why"), SyncError.store("why"),
        ] as [any Error]

    @Test(arguments: errors.indices)
    func errorDescriptionsAreSentencesAndNoSwiftValues(index: Int) {
        let words = "\(Self.errors[index])"
        #expect(words.contains(" ") || words == "why", "\(words)")
        for sign in ["(reason:", "(message:", "reason: \"", "Optional(", "Code(", "ParseError", "rawValue"] {
            #expect(!words.contains(sign), "\(words)")
        }
    }
}
