/// The questions of `tidegate doctor` to a remote.
package protocol RemoteProbe: Sendable {
    /// Asks the remote about itself and about the keys of the settings. Changes nothing on the remote.
    /// - Parameter classes: the classes in the settings.
    func diagnose(classes: [String]) async -> RemoteDiagnosis
}
