import ParseModel
import SyncModel

/// Reads and changes the classes that a sync pulls, and the recorded facts about the remote.
package protocol SyncClassStore: Sendable {
    func syncClasses() async throws -> [SyncClass]

    /// The mapping of a class: its declared mapping, and the Date, Pointer, File and Bytes fields that the remote's
    /// schema of the class describes.
    /// - Throws: `StoreError` for an unreadable mapping.
    func mapping(of className: String) async throws -> ClassMapping

    /// The recorded value of a fact about the remote; nil if none is recorded.
    func recorded(_ fact: RemoteFact) async throws -> String?

    /// Records a fact about the remote. The fact becomes a part of the store's identity, so only the first call records
    /// a value, and later calls change nothing.
    /// - Returns: the recorded value.
    func record(_ fact: RemoteFact, _ value: String) async throws -> String

    /// Records a fact about the remote that may change. It replaces an earlier value.
    func note(_ fact: RemoteFact, _ value: String) async throws

    /// Stops or restarts the pulls of a class.
    /// - Parameter reason: the reason for stopping; nil to restart the pulls.
    func setStopped(_ className: String, because reason: String?) async throws

    /// Records that the remote refuses the field for operation ids (`opField`) of a class.
    /// - Parameter message: the remote's message.
    func noteRefusal(ofOpField opField: String, of className: String, _ message: String) async throws
}

/// A fact about the remote that is known only from the remote's answers or from the user's token.
package enum RemoteFact: Sendable {
    /// The dialect (protocol variant) that the remote speaks.
    case dialect
    /// The user to whom the token for the remote belongs.
    case subject
    /// The limits that the remote has named, as JSON.
    case limits
}
