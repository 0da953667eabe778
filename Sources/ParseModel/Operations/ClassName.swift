/// The rules for class names.
package enum ClassName {
    /// Parse Server's built-in classes that Tidegate stores.
    package static let special: Set<String> = ["_Installation", "_Role", "_Session", "_User"]
    /// Parse Server's built-in classes that Tidegate does not store.
    private static let unsupported: Set<String> = [
        "_Product", "_PushStatus", "_JobStatus", "_JobSchedule", "_Audience", "_Idempotency",
    ]

    /// Parse Server's internal classes. At most the master key can read them.
    private static let internalClasses: Set<String> = ["_GlobalConfig", "_GraphQLConfig", "_Hooks", "_SCHEMA"]

    /// True if the class belongs to the server and Tidegate does not store it.
    package static func isReservedForServer(_ name: String) -> Bool {
        unsupported.contains(name) || internalClasses.contains(name) || name.hasPrefix("_Join:")
    }

    /// True if the name is valid for a class, including the server's built-in classes.
    package static func isValid(_ name: String) -> Bool {
        special.contains(name) || unsupported.contains(name) || (isIdentifier(name) && !isReserved(name))
    }

    /// - Throws: 107 for an invalid class name, 108 for an unsupported class of the server.
    package static func validate(_ name: String) throws(ParseError) {
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

    /// - Throws: 105 for an invalid name.
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

/// True for names that Parse Server reserves.
private func isReserved(_ name: String) -> Bool { name == "length" || name == "className" }
