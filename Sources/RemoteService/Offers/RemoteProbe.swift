/// The checks of `tidegate doctor` on a remote.
package protocol RemoteProbe: Sendable {
    /// Checks the remote and this gateway's keys, and changes nothing on the remote.
    /// - Parameter classes: the classes named in the settings.
    func diagnose(classes: [String]) async -> RemoteDiagnosis
}
