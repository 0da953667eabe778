/// One key of a query's order.
package struct SortKey: Sendable, Hashable {
    package let path: FieldPath
    package let descending: Bool

    package init(path: FieldPath, descending: Bool = false) {
        self.path = path
        self.descending = descending
    }

    /// The names that `order` may use for an object's times, as parse.com did.
    private static let names = ["_created_at": "createdAt", "_updated_at": "updatedAt"]

    /// Reads `-date`: a minus means descending.
    /// - Throws: 105 with the name where it is no path.
    init(_ text: Substring) throws(ParseError) {
        let descending = text.first == "-"
        let name = String(descending ? text.dropFirst() : text)
        do {
            self.init(path: try FieldPath(Self.names[name] ?? name), descending: descending)
        } catch {
            throw ParseError(.invalidFieldName, "Invalid field name: \(name).")
        }
    }
}
