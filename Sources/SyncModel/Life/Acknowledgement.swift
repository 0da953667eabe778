import ParseModel

/// What the remote said when it had applied an operation.
package struct Acknowledgement: Sendable, Hashable {
    /// The object's remote id; for a create without a chosen id a new one.
    package let objectId: String
    package let createdAt: ParseDate?
    package let updatedAt: ParseDate?
    /// Fields whose value the remote returned: results of operations, defaults of the schema.
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
