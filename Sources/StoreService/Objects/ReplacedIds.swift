/// The objects of a replica whose texts have an id that the remote has replaced. The remote has these texts as they are, and knows no
/// object with such an id.
package struct ReplacedIds: Sendable, Hashable {
    /// A field of a class, and the number of its objects whose field has such a text.
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
