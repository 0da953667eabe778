import ParseModel
import SyncModel

/// Checks whether the remote of a replica can store the values of a local write. The store calls the methods inside its
/// write transactions, so they must not block.
package protocol RemoteValueRules: Sendable {
    /// Whether the remote's rows of this class carry no Parse types, so that a `ClassMapping` converts their values.
    func mapsValues(of className: String) -> Bool

    /// Gives a file of a local write the name that the remote's rows use for this file.
    func named(_ file: FileReference) -> FileReference

    /// The reason why the remote can never store a write of these fields; nil if it can.
    /// - Parameters:
    ///   - fields: the fields that the write changes, with their values after the write.
    ///   - mapping: the mapping of the class; empty if `mapsValues` is false.
    func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError?
}
