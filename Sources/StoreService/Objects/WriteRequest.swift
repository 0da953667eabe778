import ParseModel

/// A local client's write of one object.
package enum WriteRequest: Sendable {
    /// Creates an object.
    /// - Parameters:
    ///   - body: field values and operations. It may contain an `objectId` if the store allows chosen ids.
    ///   - terms: only its `wantsMark` applies to a create.
    case create(className: String, body: JSONObject, terms: WriteTerms = WriteTerms())
    /// Updates an object. Fails with `StoreError.stale` if the terms do not allow its current state. Fails with `.gone` if the
    /// terms contain a `match` and there is no such object.
    case update(className: String, objectId: String, body: JSONObject, terms: WriteTerms = WriteTerms())
    /// Deletes an object. Fails with the errors of an update.
    case delete(className: String, objectId: String, terms: WriteTerms = WriteTerms())

    package var className: String {
        switch self {
        case .create(let className, _, _), .update(let className, _, _, _), .delete(let className, _, _): className
        }
    }

    /// The id of an existing object; nil for a create.
    package var objectId: String? {
        switch self {
        case .create: nil
        case .update(_, let objectId, _, _), .delete(_, let objectId, _): objectId
        }
    }

    package var terms: WriteTerms {
        switch self {
        case .create(_, _, let terms), .update(_, _, _, let terms), .delete(_, _, let terms): terms
        }
    }

    /// Checks that the principal may perform the write on at least some objects of the class.
    /// - Parameter rights: the rights that the permissions of the class give; nil for a store that does not enforce permissions.
    /// - Returns: the condition on the objects that the principal may write; nil for all objects.
    /// - Throws: `ParseError` 119 (operation forbidden) for the read-only master key; the errors of `AccessRules.authorize`.
    @discardableResult
    package func authorize(as principal: Principal, _ rights: ClassRights? = nil) throws(ParseError) -> Predicate? {
        guard principal != .readOnlyMaster else {
            throw .denial(.operationForbidden, "Cannot perform a write operation when using readOnlyMasterKey")
        }
        let rules = AccessRules(principal, rights ?? ClassRights(className))
        return switch self {
        case .create: try rules.authorize(.create)
        case .update(_, let objectId, _, _): try rules.authorize(.update, objectId)
        case .delete(_, let objectId, _): try rules.authorize(.delete, objectId)
        }
    }
}

/// The result of a write that is on disk.
package struct WriteReceipt: Sendable, Hashable {
    package let objectId: String
    package let createdAt: ParseDate
    package let updatedAt: ParseDate
    /// The results of operations such as `Increment`, by field. The response to the client contains them.
    package let echoed: JSONObject
    /// The content of the object's `_sync` after the write; nil unless `wantsMark` is set in the request's `WriteTerms`.
    package let mark: ObjectMark?
    /// Whether a create has updated an existing object instead: the installation of the same device.
    package var hasUpdatedExisting = false

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
