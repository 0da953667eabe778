import ParseModel
import SyncModel

/// The synced classes.
package protocol SyncClassStore: Sendable {
    func syncClasses() async throws -> [SyncClass]

    /// Stops or restarts the pulls of a class.
    /// - Parameter reason: the reason for stopping; nil to restart the pulls.
    func setStopped(_ className: String, because reason: String?) async throws

    /// Records that the remote refuses the field for operation ids (`opField`) of a class.
    /// - Parameter message: the remote's message.
    func noteRefusal(ofOpField opField: String, of className: String, _ message: String) async throws
}
