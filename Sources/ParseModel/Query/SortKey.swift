/// One sort key of a query.
package struct SortKey: Sendable, Hashable {
    package let path: FieldPath
    package let descending: Bool

    package init(path: FieldPath, descending: Bool = false) {
        self.path = path
        self.descending = descending
    }

    /// Alternative names of `createdAt` and `updatedAt` in `order`, which the former service parse.com introduced.
    private static let names = ["_created_at": "createdAt", "_updated_at": "updatedAt"]

    /// Reads a sort key. A leading minus means descending: `-date`.
    /// - Throws: Parse error 105 (invalid field name) for an invalid path.
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
