import GatewayAPI
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteService
import StoreService
import Synchronization

/// A fake remote that answers each call with success and has no files.
final class AdvisoryRemote: RemoteCalls, RemoteFiles {
    /// The text that each answer of this remote contains.
    static let mark = "an answer of the remote"
    /// The session tokens of the received calls; nil for a call without a session.
    private let heard = Mutex<[String?]>([])

    var sessions: [String?] { heard.withLock { $0 } }

    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
        heard.withLock { $0.append(call.headers[.parseSessionToken]) }
        let body =
            #"{"objectId":"x","className":"X","results":[],"updatedAt":"2001-01-01T00:00:00.000Z","from":"\#(Self.mark)"}"#
        return RemoteAnswer(status: .ok, headers: [.contentType: "application/json"], body: Array(body.utf8))
    }

    func fetch(_ file: StoredFile) async throws -> StoredFile { throw ParseError.objectNotFound }
    func noteUse(of file: StoredFile) async throws {}
}
