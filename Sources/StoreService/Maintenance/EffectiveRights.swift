/// The rights in the file of a standalone gateway: the number of objects with ACLs, and the classes with permissions.
/// They are logged once, when a version of Tidegate that enforces them starts for the first time.
package struct EffectiveRights: Sendable, Hashable {
    /// The number of objects with an ACL, by class.
    package let objects: [String: Int]
    /// The classes with permissions, sorted.
    package let classes: [String]

    /// The maximum number of names in a line.
    private static let namesMax = 20

    package init(objects: [String: Int], classes: [String]) {
        self.objects = objects
        self.classes = classes.sorted()
    }

    /// The rights as lines for users; empty if there are none.
    package var lines: [String] {
        var lines: [String] = []
        if !objects.isEmpty {
            let named = objects.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) (\($0.value))" }
            lines.append(
                "ACLs restrict \(Self.counted(objects.values.reduce(0, +), "object", "objects")): \(Self.listed(named))"
            )
        }
        if !classes.isEmpty {
            lines.append(
                "permissions restrict \(Self.counted(classes.count, "class", "classes")): \(Self.listed(classes))")
        }
        return lines
    }

    private static func counted(_ count: Int, _ one: String, _ several: String) -> String {
        "\(count) \(count == 1 ? one : several)"
    }

    private static func listed(_ names: [String]) -> String {
        let more = names.count > namesMax ? ", and \(names.count - namesMax) more" : ""
        return names.prefix(namesMax).joined(separator: ", ") + more
    }
}
