import RemoteService

/// Sends the requests that only the remote can answer. A request is never queued: it is sent at once or fails.
package protocol RemoteCalls: Sendable {
    /// - Throws: `APIError.remoteUnreachable` if the remote did not execute the request, `APIError.remoteSilent` if it may have.
    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer

    /// As `call`, but sends the request even if the latest syncs got no usable answer.
    /// - Returns: nil if the remote cannot be reached: there is no connection, or no answer in time. Every HTTP answer
    ///   counts as an answer, also that of a proxy.
    func callIfReachable(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer?

    /// The limits that the remote has named.
    var limits: RemoteLimits.Values { get }
}

extension RemoteCalls {
    package var limits: RemoteLimits.Values { RemoteLimits.Values() }

    package func callIfReachable(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer? {
        try await self.call(call)
    }
}
