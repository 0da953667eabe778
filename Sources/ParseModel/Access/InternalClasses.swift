/// The rules for Parse Server's internal classes, such as `_Hooks`, in a standalone gateway.
///
/// Clients without a master key are refused, even for queries and pointers (`enforceRoleSecurity` of Parse Server, with
/// the classes that its later versions added).
package enum InternalClasses {
    /// The internal classes whose objects a standalone gateway stores, for clients with the master key.
    package static let stored = ClassName.storedForMasterKey
    /// The class whose only object is the global config.
    package static let globalConfig = "_GlobalConfig"
    /// The classes that clients with the master key may read, but that have no objects here.
    private static let empty: Set<String> = ["_GraphQLConfig", "_Hooks", "_Idempotency"]

    /// Whether the name is that of an internal class, or of a relation's join table (`_Join:…`).
    package static func contains(_ className: String) -> Bool {
        guard className.utf8.first == UInt8(ascii: "_") else { return false }
        return stored.contains(className) || empty.contains(className) || className == globalConfig
            || className == "_SCHEMA" || className.utf8.starts(with: "_Join:".utf8)
    }

    /// The error for an operation on an internal class that the principal may not perform: Parse error 119 (operation
    /// forbidden). Nil for every other class, and if the operation is allowed.
    package static func refusal(
        of operation: AccessRules.Operation, _ className: String, to principal: Principal
    ) -> ParseError? {
        guard contains(className), !isAllowed(operation, className, to: principal) else { return nil }
        return .denial(
            .operationForbidden,
            "Clients aren't allowed to perform the \(operation.parseName) operation on the \(className) collection.")
    }

    private static func isAllowed(
        _ operation: AccessRules.Operation, _ className: String, to principal: Principal
    ) -> Bool {
        guard principal.readsEverything else { return false }
        if stored.contains(className) { return true }
        if className == globalConfig, operation == .delete { return principal.writesEverything }
        let isRead = [.list, .get, .count].contains(operation)
        return isRead && (className == globalConfig || empty.contains(className))
    }
}

extension AccessRules.Operation {
    /// The name of the operation in Parse Server's texts.
    fileprivate var parseName: String {
        switch self {
        case .list, .count: "find"
        case .get: "get"
        case .create: "create"
        case .update, .addField: "update"
        case .delete: "delete"
        }
    }
}
