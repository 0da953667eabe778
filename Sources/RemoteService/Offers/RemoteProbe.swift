/// Tests a remote for `tidegate doctor` and for the detection of its kind. The tests change no data on the remote.
package protocol RemoteProbe: Sendable {
    /// Whether the server at the remote's address is of the kind that this implementation speaks with: whether it
    /// answers the list of a class as such servers do. The settings may lack keys that later requests need.
    /// - Parameter classes: the classes named in the settings.
    /// - Throws: `RemoteError` if there is no answer, or if the server refuses the token.
    func recognizesServer(classes: [String]) async throws(RemoteError) -> Bool

    /// The names of the remote's classes, without the built-in ones; nil if the remote does not list its classes.
    func classNames() async throws(RemoteError) -> [String]?

    /// Checks the remote and this gateway's keys for `tidegate doctor`.
    /// - Parameter classes: the classes named in the settings.
    /// - Returns: the findings, in the order of the checks.
    func diagnose(classes: [String]) async -> [RemoteFinding]
}
