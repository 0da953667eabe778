import RemoteService

/// Sends requests to the remote that only it can answer. They are sent immediately or fail, and are never queued.
package protocol RemoteCalls: Sendable {
    /// - Throws: `APIError.remoteUnreachable` if the request was not sent, `APIError.remoteSilent` if it may have been.
    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer
}
