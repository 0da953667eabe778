/// One key of a query's order.
package struct SortKey: Sendable, Hashable {
    package let path: FieldPath
    package let descending: Bool

    package init(path: FieldPath, descending: Bool = false) {
        self.path = path
        self.descending = descending
    }

    /// Reads `-date`: a minus means descending.
    /// - Throws: 105 with the name where it is no path.
    init(_ text: Substring) throws(ParseError) {
        let descending = text.first == "-"
        let name = String(descending ? text.dropFirst() : text)
        do {
            self.init(path: try FieldPath(name), descending: descending)
        } catch {
            throw ParseError(.invalidFieldName, "Invalid field name: \(name).")
        }
    }
}
