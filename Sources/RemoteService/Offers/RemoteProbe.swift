/// Checks of a remote. They change nothing on the remote.
package protocol RemoteProbe: Sendable {
    /// Whether the server at the remote's address is of this implementation's kind, as far as the list of a class shows. The
    /// settings may lack keys that later requests need.
    /// - Parameter classes: the classes named in the settings.
    /// - Throws: `RemoteError` if there is no answer, or if the answer does not show the kind.
    func recognizesServer(classes: [String]) async throws(RemoteError) -> Bool

    /// The checks of `tidegate doctor`: of the remote, and of this gateway's keys.
    /// - Parameter classes: the classes named in the settings.
    /// - Returns: the findings, in the order of the checks.
    func diagnose(classes: [String]) async -> [RemoteFinding]
}
