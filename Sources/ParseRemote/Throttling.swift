import HTTPClient
import ParseModel
import RemoteHTTP

/// Computes how long a request waits after the server has refused it because of a rate limit. The server has then
/// executed nothing.
///
/// If the server demands a long wait, the request fails and the sync ends. The next sync begins at the time that the
/// server has named.
struct Throttling {
    private static let attemptsMax = 4
    private static let waitMax = Duration.seconds(10)
    /// The first wait if the server names no time. It doubles with each refusal.
    private static let firstWait = Duration.seconds(1)

    private var refusals = 0

    /// The delay before the request is sent again; nil to give up.
    mutating func next(_ retryAfter: Duration?) -> Duration? {
        refusals += 1
        guard refusals < Self.attemptsMax else { return nil }
        let wait = retryAfter ?? Self.firstWait * (1 << (refusals - 1))
        return wait <= Self.waitMax ? wait : nil
    }
}

extension HTTPClientResponse {
    /// Whether the server has refused the request because of a rate limit: status 429, or for a batch status 400 with
    /// Parse's code 100.
    /// - Parameter isBatch: whether the request is a batch. A Parse Server counts each item of a batch before it
    ///   executes the first one.
    func isRateLimited(isBatch: Bool) -> Bool {
        if status.code == 429 { return true }
        guard isBatch, status.code == 400, let body = try? JSONReader.read(body).object else { return false }
        return body["code"]?.int == ParseFailure.connectionFailed
    }
}
