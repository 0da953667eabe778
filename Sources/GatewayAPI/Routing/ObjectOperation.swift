/// The operation of a route on the objects of a class.
struct ObjectOperation: Sendable, Hashable {
    enum Kind: Sendable, Hashable { case list, get, create, update, delete, aggregate }

    let kind: Kind
    /// The class; nil if the route's first parameter names it.
    let className: String?

    /// Whether the parameters select objects and fields.
    var searches: Bool { kind == .list || kind == .get || kind == .aggregate }
}

/// The class or the object that a request concerns.
struct ObjectTarget: Sendable {
    let kind: ObjectOperation.Kind
    let className: String
    /// The id of the object in the path; nil if the path names only a class.
    let objectId: String?

    /// - Parameter parameters: the values of the route's parameters.
    init(_ operation: ObjectOperation, _ parameters: [String]) {
        kind = operation.kind
        let rest = operation.className == nil ? parameters.dropFirst() : parameters[...]
        className = operation.className ?? parameters.first ?? ""
        objectId = rest.first
    }
}
