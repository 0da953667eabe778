/// The rules for class names.
package enum ClassName {
    /// Parse Server's built-in classes that Tidegate stores.
    package static let special: Set<String> = ["_Installation", "_Role", "_Session", "_User"]
    /// The internal classes whose objects a standalone gateway stores for the master key.
    static let storedForMasterKey: Set<String> = ["_Audience", "_JobSchedule", "_JobStatus", "_PushStatus"]
    /// Built-in classes of Parse Server that a replica does not store; `internalClasses` lists further ones. A
    /// standalone gateway stores the classes that are also in `storedForMasterKey`.
    private static let unsupported: Set<String> = [
        "_Product", "_PushStatus", "_JobStatus", "_JobSchedule", "_Audience", "_Idempotency",
    ]

    /// Internal classes of Parse Server. Clients can read some of them only with the master key, and others not at all.
    private static let internalClasses: Set<String> = ["_GlobalConfig", "_GraphQLConfig", "_Hooks", "_SCHEMA"]

    /// Whether the name belongs to a built-in class that a replica does not store, or to the join table of a relation
    /// (`_Join:…`).
    package static func isReservedForServer(_ name: String) -> Bool {
        unsupported.contains(name) || internalClasses.contains(name) || name.hasPrefix("_Join:")
    }

    /// Whether the name is valid for a class. The built-in names in `special` and `unsupported` are valid, those in
    /// `internalClasses` are invalid.
    package static func isValid(_ name: String) -> Bool {
        special.contains(name) || unsupported.contains(name) || (isIdentifier(name) && !isReserved(name))
    }

    /// Checks that objects of a class with this name may be written.
    /// - Throws: Parse error 108 (command unavailable) for a class in `unsupported` that is not in
    ///   `storedForMasterKey`, 107 (invalid JSON) for an invalid name.
    package static func validate(_ name: String) throws(ParseError) {
        if storedForMasterKey.contains(name) { return }
        if unsupported.contains(name) {
            throw ParseError(.commandUnavailable, "The class \(name) is not supported yet.")
        }
        guard special.contains(name) || (isIdentifier(name) && !isReserved(name)) else {
            throw ParseError(.invalidJSON, "schema class name does not revalidate")
        }
    }
}

/// The rules for field names.
enum FieldName {
    static func isValid(_ name: String) -> Bool { isIdentifier(name) && !isReserved(name) }

    /// Checks a field name.
    /// - Throws: Parse error 105 (invalid field name).
    static func validate(_ name: String) throws(ParseError) {
        guard isValid(name) else {
            throw ParseError(.invalidFieldName, "Invalid field name: \(name).")
        }
    }
}

/// True if the name matches `^[A-Za-z][0-9A-Za-z_]*$`.
private func isIdentifier(_ name: String) -> Bool {
    guard name.utf8.first?.isLetter == true else { return false }
    return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
}

/// Whether Parse Server forbids the name for classes and fields.
private func isReserved(_ name: String) -> Bool { name == "length" || name == "className" }
