import ParseModel
import SyncModel

/// The values that the remote of a replica can store. The store asks inside its write transactions, so no method may wait.
package protocol RemoteValueRules: Sendable {
    /// Whether the remote's rows of this class carry no types, so that a `ClassMapping` converts their values.
    func mapsValues(of className: String) -> Bool

    /// A file of a local write, with the name that the remote's rows give to the file.
    func named(_ file: FileReference) -> FileReference

    /// The reason why the remote can never store a write of these fields; nil if it can.
    /// - Parameters:
    ///   - fields: the fields that the write changes, with their values after the write.
    ///   - mapping: the mapping of the class; empty if `mapsValues` is false.
    func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError?
}
