import ParseModel

/// The remote's answer to a change that it has executed.
package struct Acknowledgement: Sendable, Hashable {
    /// The object's remote id. The remote assigns it if the create was sent without an id.
    package let objectId: String
    package let createdAt: ParseDate?
    package let updatedAt: ParseDate?
    /// The field values that the remote returned, such as operation results and schema defaults.
    package let echoed: JSONObject
    package let version: String?

    package init(
        objectId: String, createdAt: ParseDate?, updatedAt: ParseDate?, echoed: JSONObject, version: String? = nil
    ) {
        self.objectId = objectId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.echoed = echoed
        self.version = version
    }
}
