/// Texts in a replica's objects that are ids which the remote has replaced. The remote stores the same texts, but has
/// no object with such an id.
package struct ReplacedIds: Sendable, Hashable {
    /// A field of a class, with the number of objects that have such a text in this field.
    package struct Field: Sendable, Hashable {
        package let className: String
        package let name: String
        package let objects: Int

        package init(className: String, name: String, objects: Int) {
            self.className = className
            self.name = name
            self.objects = objects
        }
    }

    /// Sorted by class and name.
    package let fields: [Field]

    package init(fields: [Field]) { self.fields = fields }

    /// The findings as lines for users; empty if there is nothing to report.
    package var lines: [String] {
        fields.map { field in
            "\(field.name) of \(field.objects.counted("object")) of \(field.className) has an id as a text that the remote has "
                + "replaced: the class option idFields rewrites such ids before they are sent"
        }
    }
}
