import ParseModel

/// A local client's write of one object.
package enum WriteRequest: Sendable {
    /// - Parameters:
    ///   - body: field values and operations. It may have an `objectId` if the store allows chosen ids.
    ///   - terms: only `wantsMark` applies to a create.
    case create(className: String, body: JSONObject, terms: WriteTerms = WriteTerms())
    /// Fails with `StoreError.stale` or `.gone` if the terms exclude the object's present state.
    case update(className: String, objectId: String, body: JSONObject, terms: WriteTerms = WriteTerms())
    /// Fails with the same errors as an update.
    case delete(className: String, objectId: String, terms: WriteTerms = WriteTerms())

    package var className: String {
        switch self {
        case .create(let className, _, _), .update(let className, _, _, _), .delete(let className, _, _): className
        }
    }

    /// Checks the principal's right to perform the write.
    /// - Throws: the `ParseError` of `AccessRules.authorize`.
    package func authorize(as principal: Principal) throws(ParseError) {
        switch self {
        case .create(let className, _, _): try AccessRules.authorize(.create, className, as: principal)
        case .update(let className, let objectId, _, _):
            try AccessRules.authorize(.update, className, objectId, as: principal)
        case .delete(let className, let objectId, _):
            try AccessRules.authorize(.delete, className, objectId, as: principal)
        }
    }
}

/// The result of a write that is on disk.
package struct WriteReceipt: Sendable, Hashable {
    package let objectId: String
    package let createdAt: ParseDate
    package let updatedAt: ParseDate
    /// The results of operations such as `Increment`, by field. The response repeats them.
    package let echoed: JSONObject
    /// The object's `_sync` member after the write; nil unless the terms ask for it.
    package let mark: ObjectMark?

    package init(
        objectId: String, createdAt: ParseDate, updatedAt: ParseDate, echoed: JSONObject, mark: ObjectMark? = nil
    ) {
        self.mark = mark
        self.objectId = objectId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.echoed = echoed
    }
}
