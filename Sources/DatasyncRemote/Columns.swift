import ParseModel

/// The names that the tables protocol or Parse reserves, and the rules for columns that can be fields of a Parse
/// object.
enum Columns {
    /// The columns that the server manages in every table. The server compares their names without case.
    private static let system: Set<String> = ["id", "createdat", "updatedat", "version", "deleted"]
    /// The names that Parse reserves in every class.
    private static let parse: Set<String> = ["objectId", "createdAt", "updatedAt", "ACL", "className", "length"]

    /// Whether a column can be a field of a Parse object. Objects do not contain the other columns. Writes of objects
    /// leave these columns unchanged on the server.
    static func isField(_ name: String) -> Bool { !isReserved(name) && isIdentifier(name) }

    /// Whether the server manages the column, such as `version`.
    static func isManaged(_ name: String) -> Bool { system.contains(name.lowercased()) }

    static func isReserved(_ name: String) -> Bool { isManaged(name) || parse.contains(name) }

    /// Whether a name begins with a letter, and has only letters, digits and underscores (Parse's rule for names of fields). The
    /// server accepts at most 128 characters.
    static func isIdentifier(_ name: String) -> Bool {
        guard 1...128 ~= name.utf8.count, let first = name.utf8.first, first.isLetter else { return false }
        return name.utf8.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
    }
}

extension UInt8 {
    fileprivate var isLetter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        default: false
        }
    }

    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
