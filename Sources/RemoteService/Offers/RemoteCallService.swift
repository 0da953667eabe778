import ParseModel

/// Requests of local clients in Parse's dialect that the remote answers itself.
package protocol RemoteCallService: Sendable {
    /// The remote's answer to a query, unchanged: `{"results": […], "count": n}`.
    func query(_ className: String, parameters: JSONObject) async throws(RemoteError) -> JSONObject

    /// Sends a call, once.
    /// - Throws: `.unreachable` or `.misaddressed` if the remote has not executed the call; any other error if it may have.
    func call(_ call: RemoteCall) async throws(RemoteError) -> RemoteAnswer
}
