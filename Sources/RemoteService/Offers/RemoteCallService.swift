import ParseModel

/// Forwards requests of local clients, in Parse's protocol, to the remote.
package protocol RemoteCallService: Sendable {
    /// The remote's answer to a query, unchanged: `{"results": […], "count": n}`.
    func query(_ className: String, parameters: JSONObject) async throws(RemoteError) -> JSONObject

    /// Sends a call, and does not retry it after an error. The answer is a success of the form that the call names, or an error in Parse's
    /// protocol.
    /// - Throws: `.unreachable`, or `.misaddressed` with a status outside of 200 to 299, if the remote did not execute the call. After any other error, the remote
    ///   may have executed it.
    func call(_ call: RemoteCall) async throws(RemoteError) -> RemoteAnswer
}
