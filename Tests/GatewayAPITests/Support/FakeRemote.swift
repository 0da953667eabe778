import GatewayAPI
import HTTPTypes
import RemoteService
import Synchronization

/// A fake remote that records forwarded requests and gives the answer that the test has set.
final class FakeRemote: RemoteCalls {
    private let heard = Mutex<[RemoteCall]>([])
    private let answer: Result<RemoteAnswer, APIError>

    init(_ answer: Result<RemoteAnswer, APIError>) { self.answer = answer }

    convenience init(_ status: Int = 200, _ headers: HTTPFields = [:], body: String = "{}", location: String? = nil) {
        var headers = headers
        if headers[.contentType] == nil { headers[.contentType] = "application/json; charset=utf-8" }
        self.init(
            .success(
                RemoteAnswer(
                    status: .init(code: status), headers: headers, body: Array(body.utf8), location: location)))
    }

    var calls: [RemoteCall] { heard.withLock { $0 } }

    /// Returns nil if the answer of the test is that the remote cannot be reached.
    func callIfReachable(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer? {
        do { return try await self.call(call) } catch {
            if case .remoteUnreachable = error { return nil }
            throw error
        }
    }

    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
        heard.withLock { $0.append(call) }
        return try answer.get()
    }
}
