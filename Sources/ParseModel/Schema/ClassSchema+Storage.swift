extension ClassSchema {
    /// The fields that Parse Server stores in the database under their own names, in the order of `/schemas`: all but
    /// the ACL and the password.
    package var storedFields: [(name: String, field: SchemaField)] {
        let defaults = DefaultFields.of(className).map { ($0.name, added[$0.name] ?? SchemaField($0.type)) }
        let names = Set(defaults.map(\.0))
        let others = added.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        return (defaults + others).filter { name, field in
            field.type != .acl && !(className == "_User" && name == "password")
        }
    }

    /// Whether Parse Server keeps the schema of the class in its database. It knows the schemas of the other classes
    /// itself (`volatileClasses` of its `SchemaController`).
    package var isStored: Bool { !Self.volatileClasses.contains(className) }

    private static let volatileClasses: Set = [
        "_JobStatus", "_PushStatus", "_Hooks", "_GlobalConfig", "_GraphQLConfig", "_JobSchedule", "_Audience",
        "_Idempotency",
    ]
}
