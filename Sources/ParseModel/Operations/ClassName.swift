/// What Parse allows as names of classes and of fields.
package enum ClassName {
    /// Classes that every Parse Server has, and whose objects can be kept here.
    package static let special: Set<String> = ["_Installation", "_Role", "_Session", "_User"]
    /// Those whose objects cannot.
    private static let ofServer: Set<String> = [
        "_Product", "_PushStatus", "_JobStatus", "_JobSchedule", "_Audience", "_Idempotency",
    ]

    /// What a server keeps for itself, and shows to holders of its master key at most.
    private static let internals: Set<String> = ["_GlobalConfig", "_GraphQLConfig", "_Hooks", "_SCHEMA"]

    /// Whether the class is a server's, and its objects cannot be kept here.
    package static func isServersOwn(_ name: String) -> Bool {
        ofServer.contains(name) || internals.contains(name) || name.hasPrefix("_Join:")
    }

    /// Whether a class may have the name, those of the server's own classes included.
    package static func isPossible(_ name: String) -> Bool {
        special.contains(name) || ofServer.contains(name) || (isIdentifier(name) && !isReserved(name))
    }

    /// - Throws: 107 for what can never be a class, 108 for those classes of the server that cannot be kept here.
    package static func validate(_ name: String) throws(ParseError) {
        if ofServer.contains(name) { throw ParseError(.commandUnavailable, "The class \(name) is not supported yet.") }
        guard special.contains(name) || (isIdentifier(name) && !isReserved(name)) else {
            throw ParseError(.invalidJSON, "schema class name does not revalidate")
        }
    }
}

/// What Parse allows as name of a field.
enum FieldName {
    static func isPossible(_ name: String) -> Bool { isIdentifier(name) && !isReserved(name) }

    /// - Throws: 105 with the name.
    static func validate(_ name: String) throws(ParseError) {
        guard isPossible(name) else {
            throw ParseError(.invalidFieldName, "Invalid field name: \(name).")
        }
    }
}

/// `^[A-Za-z][0-9A-Za-z_]*$`
private func isIdentifier(_ name: String) -> Bool {
    guard name.utf8.first?.isLetter == true else { return false }
    return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
}

/// Names that JavaScript objects have already.
private func isReserved(_ name: String) -> Bool { name == "length" || name == "className" }
