/// The questions of `tidegate doctor` to a remote.
package protocol RemoteProbe: Sendable {
    /// Asks the remote about itself and about our keys, and changes nothing there.
    /// - Parameter classes: the classes that the settings name.
    func diagnose(classes: [String]) async -> RemoteDiagnosis
}
