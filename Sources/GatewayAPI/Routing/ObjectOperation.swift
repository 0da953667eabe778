import ParseModel

/// The operation of a route on the objects of a class.
struct ObjectOperation: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case list, get, create, update, delete, aggregate

        var isWrite: Bool {
            switch self {
            case .create, .update, .delete: true
            case .list, .get, .aggregate: false
            }
        }

        /// The operation whose permission the kind needs.
        var operation: AccessRules.Operation {
            switch self {
            case .list, .aggregate: .list
            case .get: .get
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        }
    }

    let kind: Kind
    /// The class; nil if the route's first parameter names it.
    let className: String?

    /// Whether the operation is a read, so that the request's parameters select objects and fields.
    var searches: Bool { kind == .list || kind == .get || kind == .aggregate }
}

/// The class or the object that a request concerns.
struct ObjectTarget: Sendable {
    let kind: ObjectOperation.Kind
    let className: String
    /// The object's id, from the path; nil if the path has none.
    let objectId: String?

    /// - Parameter parameters: the values from the path: the class name unless `operation` has it, then the object's id if any.
    init(_ operation: ObjectOperation, _ parameters: [String]) {
        kind = operation.kind
        let rest = operation.className == nil ? parameters.dropFirst() : parameters[...]
        className = operation.className ?? parameters.first ?? ""
        objectId = rest.first
    }
}
