import RemoteService

/// The way to the remote for calls that only it can answer: they go there now or fail, and are never queued.
package protocol RemoteCalls: Sendable {
    /// - Throws: `APIError.remoteUnreachable` if the remote was not asked, `APIError.remoteSilent` if it may have been.
    func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer
}
