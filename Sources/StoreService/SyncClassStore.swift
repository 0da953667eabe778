import ParseModel
import SyncModel

/// The classes of a sync.
package protocol SyncClassStore: Sendable {
    func syncClasses() async throws -> [SyncClass]

    /// Stops the pulls of a class.
    /// - Parameter reason: nil to start them again.
    func setStopped(_ className: String, because reason: String?) async throws

    /// Records that the remote refuses the class's field for operation ids.
    /// - Parameter message: the remote's message.
    func noteRefusal(ofOpField opField: String, of className: String, _ message: String) async throws
}
