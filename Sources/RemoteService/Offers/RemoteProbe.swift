/// Checks of a remote. They change no data on the remote.
package protocol RemoteProbe: Sendable {
    /// Whether the server at the remote's address is of this implementation's kind: whether it answers the list of a class as
    /// servers of this kind do. The settings may lack keys that later requests need.
    /// - Parameter classes: the classes named in the settings.
    /// - Throws: `RemoteError` if there is no answer, or if the server refuses the token.
    func recognizesServer(classes: [String]) async throws(RemoteError) -> Bool

    /// The checks of `tidegate doctor`: of the remote, and of this gateway's keys.
    /// - Parameter classes: the classes named in the settings.
    /// - Returns: the findings, in the order of the checks.
    func diagnose(classes: [String]) async -> [RemoteFinding]
}
