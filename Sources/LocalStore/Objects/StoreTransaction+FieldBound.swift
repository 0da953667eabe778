import ParseModel

/// The bound on fields that local writes may give a class. Each field costs every later write of the class some time, and an object
/// with a million fields blocked all other writes for half a minute. Pulled rows are taken in without a bound.
extension StoreTransaction {
    /// Looks at no more names than may be new.
    /// - Parameters:
    ///   - body: of a create or an update, not looked at yet.
    ///   - present: the object as it is; empty for a new one.
    /// - Throws: `ParseError` 111 where the class would have too many fields.
    func checkFieldCount(_ body: JSONObject, className: String, present: JSONObject) throws {
        let schema = try knownSchema(of: className)
        // Without a schema only the object itself tells which fields are known.
        let known = max(schema?.added.count ?? 0, present.count - (present["ACL"] == nil ? 0 : 1))
        let fieldsMax = store.classFieldsMax
        guard known + body.count > fieldsMax else { return }
        var new: Set<Substring> = []
        for (name, _) in body {
            let field = name.prefix { $0 != "." }
            guard present[String(field)] == nil, schema?[String(field)] == nil, !Self.isUsual(field) else { continue }
            new.insert(field)
            guard new.count <= fieldsMax - known else {
                throw ParseError.tooManyFields(className, max: fieldsMax)
            }
        }
    }

    private static func isUsual(_ field: Substring) -> Bool {
        DefaultFields.common.contains { $0.name == field }
    }
}
