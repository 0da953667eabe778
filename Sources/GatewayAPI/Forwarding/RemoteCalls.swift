import RemoteService

/// Sends the requests that only the remote can answer. A request is never queued: it is sent at once or fails.
package protocol RemoteCalls: Sendable {
    /// - Throws: `APIError.remoteUnreachable` if the remote did not execute the request, `APIError.remoteSilent` if it may have.
    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer
}
