import ParseModel
import SyncModel

/// The synced classes.
package protocol SyncClassStore: Sendable {
    func syncClasses() async throws -> [SyncClass]

    /// The mapping of a class that applies: the declared one, and the Date, Pointer, File and Bytes fields of the class's schema,
    /// whose types the remote describes.
    /// - Throws: `StoreError` for an unreadable mapping.
    func mapping(of className: String) async throws -> ClassMapping

    /// The recorded value of a fact about the remote; nil if none is recorded.
    func recorded(_ fact: RemoteFact) async throws -> String?

    /// Records a fact about the remote. It is part of the store's identity, so only the first call for a fact records a value.
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

/// A fact about the remote that only its answers or the user's token show.
package enum RemoteFact: Sendable {
    /// The dialect that the remote speaks.
    case dialect
    /// The user whom the token names.
    case subject
    /// The limits that the remote has named, as JSON.
    case limits
}
